-- SPDX-License-Identifier: GPL-2.0
-- The median of each phase in each build, in the order of the boot.
SELECT name, medians[1] AS first_ns, medians[-1] AS last_ns, last_ns - first_ns AS change_ns, medians AS medians_ns
FROM (
	SELECT name, arrayResize(groupArrayInsertAt(0.0)(value, position), length(any(all)), toFloat64(0)) AS medians, avg(begin) AS begins
	FROM (
		SELECT name, argMax(total_ns, made) AS value, argMax(at, made) AS begin, toUInt32(indexOf(all, build) - 1) AS position, (
		SELECT groupArray(build) FROM (
			SELECT build, min(time) AS first FROM kfi.boot WHERE complete = 1 GROUP BY build ORDER BY first, build
		)
	) AS all
		FROM kfi.median WHERE kind = 'phase' GROUP BY name, build
	)
	GROUP BY name
)
ORDER BY begins, name
