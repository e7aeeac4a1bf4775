-- SPDX-License-Identifier: GPL-2.0
-- Functions that take more of the critical path of slow boots, those of the p95 and longer, than of others.
SELECT name, others_ns, slow_ns, slow_ns - others_ns AS more_ns
FROM kfi.worst WHERE made = (SELECT max(made) FROM kfi.updated)
ORDER BY more_ns DESC, name LIMIT @ROWS@
