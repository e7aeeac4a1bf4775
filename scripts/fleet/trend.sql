-- SPDX-License-Identifier: GPL-2.0
-- The total of each build, in order of time.
SELECT build, toDate(min(first), 'UTC') AS date, count() AS boots, uniqExact(board) AS boards,
	(arraySort(groupArray(total))[intDiv(count() + 1, 2)] + arraySort(groupArray(total))[intDiv(count(), 2) + 1]) / 2 AS median_ns,
	arraySort(groupArray(total))[intDiv(count() * 95 + 99, 100)] AS p95_ns
FROM (
	SELECT build, boot, any(board) AS board, any(time) AS first, any(total_ns) AS total
	FROM kfi.boot WHERE complete = 1 GROUP BY build, boot
)
GROUP BY build ORDER BY min(first), build
