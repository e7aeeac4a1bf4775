-- SPDX-License-Identifier: GPL-2.0
-- The total, phases and functions with two modes, which are 5 percent and 0.1 ms apart.
SELECT kind, name, low_ns, high_ns, high_percent, distance
FROM kfi.modes
WHERE made = (SELECT max(made) FROM kfi.updated) AND high_ns - greatest(low_ns, 0) >= 100000
	AND high_ns - greatest(low_ns, 0) >= 0.05 * greatest(low_ns, 0)
ORDER BY high_ns - low_ns DESC, name LIMIT @ROWS@
