-- SPDX-License-Identifier: GPL-2.0
-- The total, phases and functions that change from a build on, on the same boards.
SELECT kind, name, build, before_ns, before_ns + change_ns AS after_ns, change_ns, chance, boards
FROM kfi.change WHERE made = (SELECT max(made) FROM kfi.updated)
ORDER BY abs(change_ns) DESC, name LIMIT @ROWS@
