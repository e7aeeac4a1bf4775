-- SPDX-License-Identifier: GPL-2.0
-- By how much series of buckets @LOW@ to @HIGH@ change: of each board the medians before and from the cut on, then the
-- median over boards: a board weighs as many boots as its smaller side has. @SPANS@ has series, first, last, cut
-- and chance; @TIMES@ is of times-by-board.sql, @BOARDS@ of boots-by-board.sql.
INSERT INTO kfi.change
SELECT @MADE@ AS made, kind, name, label AS build, before_ns, change_ns, chance, boards
FROM (
	SELECT kind, name, build_key, before_ns, change_ns, chance, boards
	FROM (
		SELECT series, [@ORDER@][cut] AS build_key, chance, boards,
			(befores[arrayCount(x -> 2 * x < weight, cum_before) + 1]
				+ befores[arrayCount((x, w) -> 2 * (x - w) <= weight, cum_before, weights_before)]) / 2 AS before_ns,
			(changes[arrayCount(x -> 2 * x < weight, cum_change) + 1]
				+ changes[arrayCount((x, w) -> 2 * (x - w) <= weight, cum_change, weights_change)]) / 2 AS change_ns
		FROM (
			SELECT series, cut, any(p) AS chance, count() AS boards, sum(least(na, nb)) AS weight,
				arraySort(groupArray(before)) AS befores, arraySort(groupArray(behind - before)) AS changes,
				arraySort((x, y) -> y, groupArray(least(na, nb)), groupArray(before)) AS weights_before,
				arraySort((x, y) -> y, groupArray(least(na, nb)), groupArray(behind - before)) AS weights_change,
				arrayCumSum(weights_before) AS cum_before, arrayCumSum(weights_change) AS cum_change
			FROM (
				SELECT series, cut, p, na, nb, (a[intDiv(na + 1, 2)] + a[intDiv(na, 2) + 1]) / 2 AS before,
					(b[intDiv(nb + 1, 2)] + b[intDiv(nb, 2) + 1]) / 2 AS behind
				FROM (
					SELECT series, cut, chance AS p,
						toInt64(arraySum(arrayMap((x, y) -> if(y >= first AND y < cut, x, 0), board_boots, board_builds))) AS na,
						toInt64(arraySum(arrayMap((x, y) -> if(y >= cut AND y < last, x, 0), board_boots, board_builds))) AS nb,
						arraySort(arrayResize(arrayFilter((x, y) -> y >= first AND y < cut, totals, builds), na)) AS a,
						arraySort(arrayResize(arrayFilter((x, y) -> y >= cut AND y < last, totals, builds), nb)) AS b
					FROM (
						-- A board that never calls the function has no row, and counts.
						SELECT series, first, last, cut, chance, board_key, board_builds, board_boots
						FROM (@SPANS@)
						CROSS JOIN (
							@BOARDS@
						)
					)
					ANY LEFT JOIN (
						@TIMES@
					) USING series, board_key
					WHERE first < cut AND cut < last
				)
				WHERE na > 0 AND nb > 0
			)
			GROUP BY series, cut
		)
		WHERE weight > 0
	)
	ALL INNER JOIN (
		SELECT series, any(kind) AS kind, any(name) AS name FROM kfi.name GROUP BY series
	) USING series
)
ALL INNER JOIN (
	SELECT cityHash64(build) AS build_key, any(build) AS label FROM kfi.boot GROUP BY build_key
) USING build_key
