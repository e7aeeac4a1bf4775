-- SPDX-License-Identifier: GPL-2.0
-- Series of buckets @LOW@ to @HIGH@ with two modes: the boots, as if all builds had the same median, are cut
-- into two groups with the least variance. @ORDER@ are the builds, with @BOOTS@ boots in all.
INSERT INTO kfi.modes
SELECT @MADE@ AS made, kind, name, low + middle AS low_ns, high + middle AS high_ns, percent AS high_percent, distance
FROM (
	SELECT series, middle, 100 * (n - cut) / n AS percent,
		(off[intDiv(cut + 1, 2)] + off[intDiv(cut, 2) + 1]) / 2 AS low,
		(off[cut + intDiv(n - cut + 1, 2)] + off[cut + intDiv(n - cut, 2) + 1]) / 2 AS high,
		sums[cut] AS low_sum, squares[cut] AS low_squares, sums[n] - low_sum AS high_sum, squares[n] - low_squares AS high_squares,
		(greatest((low_squares - low_sum * low_sum / cut) / cut, 0)
			+ greatest((high_squares - high_sum * high_sum / (n - cut)) / (n - cut), 0)) / 2 AS variance,
		(high_sum / (n - cut) - low_sum / cut) / sqrt(variance) AS distance
	FROM (
		SELECT series, middle, off, n, sums, squares,
			indexOf(arrayMap((i, s, q, x, y) -> if(x = y, inf, greatest((q - s * s / i) / i, 0) * i
					+ greatest((squares[-1] - q - (sums[-1] - s) * (sums[-1] - s) / (n - i)) / (n - i), 0) * (n - i)),
				arrayPopBack(arrayEnumerate(off)), arrayPopBack(sums), arrayPopBack(squares), arrayPopBack(off), arrayPopFront(off)) AS within,
				arrayReduce('min', within)) AS cut
		FROM (
			SELECT series, off, n, middle, center, arrayCumSum(arrayMap(x -> x - center, off)) AS sums,
				arrayCumSum(arrayMap(x -> (x - center) * (x - center), off)) AS squares
			FROM (
				SELECT series, arraySort(offs) AS off, toInt64(length(off)) AS n, off[intDiv(n, 2) + 1] AS center,
					arraySort(arrayResize(totals, @BOOTS@)) AS all, (all[intDiv(n + 1, 2)] + all[intDiv(n, 2) + 1]) / 2 AS middle
				FROM (
					-- Builds without a call of the function have no row: their boots are 0.
					SELECT one AS series, arrayResize(groupArrayArray(differences), @BOOTS@) AS offs,
						groupArrayArray(sorted) AS totals
					FROM (
						SELECT one, arraySort(arrayResize(all_total, boots)) AS sorted,
							(sorted[intDiv(boots + 1, 2)] + sorted[intDiv(boots, 2) + 1]) / 2 AS median,
							arrayMap(x -> x - median, sorted) AS differences
						FROM (
							SELECT one, build_key, groupArray(toFloat64(ns)) AS all_total
							FROM (
								SELECT bucket, build_key, boot_key, series AS many, total FROM kfi.times
								WHERE bucket BETWEEN @LOW@ AND @HIGH@ AND has([@ORDER@], build_key)
								LIMIT 1 BY bucket, boot_key
							)
							ARRAY JOIN many AS one, total AS ns
							GROUP BY one, build_key
						)
						ALL INNER JOIN (
							SELECT cityHash64(build) AS build_key, uniqExact(boot) AS boots
							FROM kfi.boot WHERE complete = 1 GROUP BY build_key
						) USING build_key
					)
					GROUP BY one
				)
				-- Modes are 0.1 ms apart at least.
				WHERE arrayReduce('max', offs) - arrayReduce('min', offs) >= 100000
			)
			WHERE isFinite(center)
		)
		WHERE cut >= intDiv(n, 10) AND n - cut >= intDiv(n, 10)
	)
)
ALL INNER JOIN (
	SELECT series, any(kind) AS kind, any(name) AS name FROM kfi.name GROUP BY series
) USING series
WHERE distance >= 5
