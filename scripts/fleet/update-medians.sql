-- SPDX-License-Identifier: GPL-2.0
-- The medians of the builds @BUILDS@ and the series @SERIES@, in buckets @LOW@ to @HIGH@. A boot that has not
-- called a function counts as 0. Unknown times count as update-unknown.sql has them: @TOTALS@, @SELVES@ and
-- @LONGEST@ of the series @FILLED@.
INSERT INTO kfi.median
SELECT kind, label AS build, name, @MADE@ AS made, boots, at, total_ns, self_ns, max_ns
FROM (
	SELECT series, label, boots, at, (totals[low] + totals[high]) / 2 AS total_ns, (selves[low] + selves[high]) / 2 AS self_ns,
		(most[low] + most[high]) / 2 AS max_ns
	FROM (
		SELECT series, label, boots, begins AS at,
			toUInt64(@TOTALS@[indexOf(@FILLED@, series)]) AS fill_total,
			toUInt64(@SELVES@[indexOf(@FILLED@, series)]) AS fill_self,
			toUInt64(@LONGEST@[indexOf(@FILLED@, series)]) AS fill_longest,
			arraySort(arrayResize(arrayMap(x -> if(x = @UNKNOWN@, fill_total, x), all_total), boots)) AS totals,
			arraySort(arrayResize(arrayMap(x -> if(x = @UNKNOWN@, fill_self, x), all_self), boots)) AS selves,
			arraySort(arrayResize(arrayMap(x -> if(x = @UNKNOWN@, fill_longest, x), all_longest), boots)) AS most,
			intDiv(boots + 1, 2) AS low, intDiv(boots, 2) + 1 AS high
		FROM (
			SELECT one AS series, build_key, avg(begin) AS begins, groupArray(one_total) AS all_total,
				groupArray(one_self) AS all_self, groupArray(one_longest) AS all_longest
			FROM (
				SELECT bucket, build_key, boot_key, series AS many, at, total, self, longest FROM kfi.times
				WHERE bucket BETWEEN @LOW@ AND @HIGH@ AND @BUILDS@
				LIMIT 1 BY bucket, boot_key
			)
			ARRAY JOIN many AS one, at AS begin, total AS one_total, self AS one_self, longest AS one_longest
			WHERE @SERIES@
			GROUP BY one, build_key
		) AS a
		ALL INNER JOIN (
			SELECT cityHash64(build) AS build_key, any(build) AS label, uniqExact(boot) AS boots
			FROM kfi.boot WHERE complete = 1 GROUP BY build_key
		) AS b USING build_key
	)
) AS a
ALL INNER JOIN (
	SELECT series, any(kind) AS kind, any(name) AS name FROM kfi.name GROUP BY series
) AS b USING series
