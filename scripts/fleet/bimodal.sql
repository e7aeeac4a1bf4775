-- SPDX-License-Identifier: GPL-2.0
-- The total, phases and functions with two modes.
SELECT kind, name, low_ns, high_ns, high_percent, distance
FROM kfi.modes WHERE made = (SELECT max(made) FROM kfi.updated)
ORDER BY high_ns - low_ns DESC, name LIMIT @ROWS@
