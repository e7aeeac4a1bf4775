-- SPDX-License-Identifier: GPL-2.0
-- Where series of buckets @LOW@ to @HIGH@ change most clearly: van Elteren's rank test, by board, at each cut
-- of the builds first to last - 1. @ORDER@ are the builds in order. @SPANS@ has series, first and last;
-- @TIMES@ is of times-by-board.sql, @BOARDS@ of boots-by-board.sql.
INSERT INTO kfi.chance
SELECT series, first, last, @MADE@ AS made, @LEVEL@ AS level, first + indexOf(chances, arrayReduce('min', chances)) AS cut,
	least(1, arrayReduce('min', chances) * arrayCount(x -> x > 1e-9, variances)) AS chance
FROM (
	-- Of each cut, in the order of cuts.
	SELECT series, first, last, variances, arrayMap((t, v, w) -> if(v > 1e-9 AND abs(t) > w / 2,
		erfc((abs(t) - w / 2) / sqrt(2 * if(v > 1e-9, v, 1))), 1), sums, variances, weights) AS chances
	FROM (
		-- Of each build what its boots add to the sum of ranks, and to the variance of the cut behind it.
		SELECT series, first, last, sumMap(builds, ranks, steps, arrayMap(x -> 1, builds)) AS parts,
			arrayPopBack(arrayCumSum(parts.2)) AS sums, arrayPopBack(arrayCumSum(parts.3)) AS variances,
			maxForEach(counting) AS weights
		FROM (
			SELECT series, first, last,
				arrayConcat(by_value, ks, arrayMap(x -> toUInt32(first + x), range(toUInt32(last - first)))) AS builds,
				arrayConcat(arrayMap((x, i, u, d) -> weight * (if(x = 0, (missing + zeros + 1) / 2, missing + i + (d - u) / 2) - least_rank),
						sorted, arrayEnumerate(sorted), up, down),
					arrayMap(x -> weight * x * (least_rank - (n + 1) / 2), ns),
					arrayMap(x -> toFloat64(0), range(toUInt32(last - first)))) AS ranks,
				arrayConcat(arrayMap(x -> toFloat64(0), by_value),
					arrayMap((x, c) -> weight * weight / 12 * spread * (toFloat64(c) * (n - c) - toFloat64(c - x) * (n - c + x)), ns, arrayCumSum(ns)),
					arrayMap(x -> toFloat64(0), range(toUInt32(last - first)))) AS steps,
				arrayMap(x -> if(first + x >= ks[1] AND first + x < ks[-1], weight, 0), range(toUInt32(last - first - 1))) AS counting
			FROM (
				SELECT series, first, last, ks, ns, n, missing, zeros, by_value, sorted, up, down, 1 / (n + 1) AS weight,
					if(missing > 0, (missing + zeros + 1) / 2, (n + 1) / 2) AS least_rank,
					n + 1 - (if(missing > 0, pow(missing + zeros, 3) - (missing + zeros), 0)
						+ arraySum(arrayMap((x, u, d) -> if(x = 0 AND missing > 0, toFloat64(0), pow(u + d - 1, 2) - 1), sorted, up, down)))
						/ (toFloat64(n) * (n - 1)) AS spread
				FROM (
					SELECT series, first, last, ks, ns, toInt64(arraySum(ns)) AS n, n - toInt64(length(xs)) AS missing,
						toInt64(countEqual(xs, 0)) AS zeros, arraySort((x, y) -> y, bs, xs) AS by_value, arraySort(xs) AS sorted,
						arrayMap(x -> toInt64(x), arrayEnumerateUniq(sorted)) AS up,
						arrayMap(x -> toInt64(x), arrayReverse(arrayEnumerateUniq(arrayReverse(sorted)))) AS down
					FROM (
						SELECT series, first, last, arrayFilter(x -> x >= first AND x < last, board_builds) AS ks,
							arrayFilter((x, y) -> y >= first AND y < last, board_boots, board_builds) AS ns,
							arrayFilter(x -> x >= first AND x < last, builds) AS bs,
							arrayFilter((x, y) -> y >= first AND y < last, totals, builds) AS xs
						FROM (
							SELECT series, builds, totals, board_builds, board_boots
							FROM (
								@TIMES@
							)
							ALL INNER JOIN (
								@BOARDS@
							) USING board_key
						)
						ALL INNER JOIN (@SPANS@) USING series
					)
					WHERE length(ks) > 1
				)
			)
			-- Boots of one board that are all the same say nothing. 18.16 finds no column that only a lambda uses.
			WHERE spread > 1e-9 AND weight > 0 AND least_rank > 0 AND n > 0 AND missing >= 0 AND zeros >= 0
		)
		GROUP BY series, first, last
	)
)
