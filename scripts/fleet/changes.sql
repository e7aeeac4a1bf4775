-- SPDX-License-Identifier: GPL-2.0
-- The total, phases and functions that change from a build on, on the same boards: by 5 percent and 0.1 ms.
SELECT kind, name, build, before_ns, before_ns + change_ns AS after_ns, change_ns, chance, boards
FROM kfi.change
WHERE made = (SELECT max(made) FROM kfi.updated) AND abs(change_ns) >= 100000 AND abs(change_ns) >= 0.05 * before_ns
ORDER BY abs(change_ns) DESC, name LIMIT @ROWS@
