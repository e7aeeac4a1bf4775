-- SPDX-License-Identifier: GPL-2.0
-- Make the medians of the builds @BUILDS@ anew. A boot that has not called a function counts as 0.
INSERT INTO kfi.series
SELECT kind, build, name, @MADE@ AS made, first_time, at, boots,
	(if(low <= missing, 0, totals[low - missing]) + if(high <= missing, 0, totals[high - missing])) / 2 AS total_ns,
	(if(low <= missing, 0, selves[low - missing]) + if(high <= missing, 0, selves[high - missing])) / 2 AS self_ns,
	(if(low <= missing, 0, longest[low - missing]) + if(high <= missing, 0, longest[high - missing])) / 2 AS max_ns,
	(offs[low] + offs[high]) / 2 * 1.4826 AS deviation_ns
FROM (
	SELECT kind, build, name, at, totals, selves, longest, boots, first_time,
		toInt64(boots) - toInt64(length(totals)) AS missing,
		toInt64(intDiv(boots + 1, 2)) AS low, toInt64(intDiv(boots, 2) + 1) AS high,
		(if(low <= missing, 0, totals[low - missing]) + if(high <= missing, 0, totals[high - missing])) / 2 AS middle,
		arraySort(arrayConcat(arrayMap(x -> abs(x - middle), totals),
			arrayMap(x -> toFloat64(middle), range(toUInt64(missing))))) AS offs
	FROM (
		SELECT kind, build, name, avg(begin) AS at, arraySort(groupArray(total)) AS totals,
			arraySort(groupArray(self)) AS selves, arraySort(groupArray(longest)) AS longest
		FROM (
			SELECT kind, build, name, boot_id, any(at) AS begin, any(total) AS total,
				any(self) AS self, any(longest) AS longest
			FROM kfi.value WHERE build IN (@BUILDS@) AND kind IN ('function', 'phase')
			GROUP BY kind, build, name, boot_id
		)
		GROUP BY kind, build, name
	)
	ANY INNER JOIN (
		SELECT build, uniqExact(boot) AS boots, min(time) AS first_time
		FROM kfi.boot WHERE complete = 1 AND build IN (@BUILDS@) GROUP BY build
	) USING build
);
