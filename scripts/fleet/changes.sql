-- SPDX-License-Identifier: GPL-2.0
-- Functions and phases whose median changes from a build to the next one: by 5 percent and 0.1 ms, and by
-- five standard errors of medians (1.2533 deviations by the root of the boots).
SELECT kind, name, build, before_ns, after_ns, after_ns - before_ns AS change_ns
FROM (
	SELECT kind, name, pair.1.2 AS build, pair.2.3 AS before_ns, pair.1.3 AS after_ns,
		1.2533 * sqrt(pow(pair.1.4, 2) / pair.1.5 + pow(pair.2.4, 2) / pair.2.5) AS error
	FROM (
		SELECT kind, name, arrayJoin(pairs) AS pair
		FROM (
			SELECT kind, name, arrayMap((x, y) -> (x, y), arrayPopFront(in_order), arrayPopBack(in_order)) AS pairs
			FROM (
				SELECT kind, name, arraySort(groupArray((first, build, total, deviation, number))) AS in_order
				FROM (
					SELECT kind, name, build, argMax(first_time, made) AS first, argMax(total_ns, made) AS total,
						argMax(deviation_ns, made) AS deviation, argMax(boots, made) AS number
					FROM kfi.series GROUP BY kind, name, build
				)
				GROUP BY kind, name
			)
		)
	)
)
WHERE abs(after_ns - before_ns) >= 100000 AND abs(after_ns - before_ns) >= 0.05 * before_ns
	AND abs(after_ns - before_ns) > 5 * error
ORDER BY abs(after_ns - before_ns) DESC, name LIMIT @ROWS@
