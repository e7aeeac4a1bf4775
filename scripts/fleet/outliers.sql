-- SPDX-License-Identifier: GPL-2.0
-- Boards that are more than 3.5 deviations from the median of all boards, in the same builds. Five boards are needed.
SELECT board, boots, off - middle AS change_ns, (off - middle) / deviation AS deviations
FROM (
	SELECT arrayJoin(boards) AS one, one.1 AS board, one.2 AS off, one.3 AS boots, middle, deviation
	FROM (
		SELECT boards, middle, (offs[intDiv(n + 1, 2)] + offs[intDiv(n, 2) + 1]) / 2 * 1.4826 AS deviation
		FROM (
			SELECT boards, n, middle, arraySort(arrayMap(x -> abs(x - middle), sorted)) AS offs
			FROM (
				SELECT boards, sorted, n, (sorted[intDiv(n + 1, 2)] + sorted[intDiv(n, 2) + 1]) / 2 AS middle
				FROM (
					SELECT groupArray((board, off, boots)) AS boards, arraySort(groupArray(off)) AS sorted, count() AS n
					FROM (
						SELECT board, boots, (a[intDiv(boots + 1, 2)] + a[intDiv(boots, 2) + 1]) / 2 AS off
						FROM (
							SELECT board, count() AS boots, arraySort(groupArray(total - median)) AS a
							FROM (
								SELECT build, boot, any(board) AS board, any(total_ns) AS total
								FROM kfi.boot WHERE complete = 1 GROUP BY build, boot
							) AS a
							ALL INNER JOIN (
								SELECT build, argMax(total_ns, made) AS median FROM kfi.median WHERE kind = 'boot' GROUP BY build
							) AS b USING build
							GROUP BY board
						)
					)
				)
				WHERE n >= 5
			)
		)
	)
)
WHERE abs(off - middle) > 3.5 * deviation AND abs(off - middle) >= 100000
	AND abs(off - middle) >= 0.05 * (
		SELECT (t[intDiv(n + 1, 2)] + t[intDiv(n, 2) + 1]) / 2
		FROM (SELECT arraySort(groupArray(total)) AS t, count() AS n FROM (SELECT boot_key, any(total[1]) AS total FROM kfi.times WHERE bucket = 65 GROUP BY boot_key))
	)
ORDER BY abs(off - middle) DESC, board LIMIT @ROWS@
