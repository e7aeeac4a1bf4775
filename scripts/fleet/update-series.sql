-- SPDX-License-Identifier: GPL-2.0
-- The series of buckets @LOW@ to @HIGH@ for kd --fleet -: of each the boots, and the time in each. A boot that
-- was loaded twice and is not merged yet comes twice. 18.16 cannot join an array of a distributed table.
SELECT kind, name, boots, totals
FROM (
	SELECT one AS series, groupArray(boot_key) AS boots, groupArray(ns) AS totals
	FROM (
		SELECT boot_key, series AS many, total FROM kfi.times WHERE bucket BETWEEN @LOW@ AND @HIGH@
	)
	ARRAY JOIN many AS one, total AS ns
	GROUP BY one
) AS a
ALL INNER JOIN (
	SELECT series, any(kind) AS kind, any(name) AS name FROM kfi.name GROUP BY series
) AS b USING series
FORMAT RowBinary
