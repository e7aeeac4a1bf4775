-- SPDX-License-Identifier: GPL-2.0
-- The builds in order of time for kd --fleet -: of each its boots, and the board of each boot.
SELECT 'build' AS kind, build AS name, groupArray(cityHash64(boot)) AS boots, groupArray(cityHash64(board)) AS boards
FROM kfi.boot WHERE complete = 1
GROUP BY build ORDER BY min(time), build
FORMAT RowBinary
