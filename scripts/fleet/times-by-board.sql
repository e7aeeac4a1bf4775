-- SPDX-License-Identifier: GPL-2.0
-- Part of update-chances and update-changes: of each series of @SPANS@ and each board the times, and the
-- number in @ORDER@ of the build of each.
SELECT one AS series, board_key, groupArray(build_number) AS builds, groupArray(total_ns) AS totals
FROM (
	SELECT bucket, board_key, boot_key, toUInt32(indexOf([@ORDER@], build_key)) AS build_number,
		series AS many, total
	FROM kfi.times
	WHERE bucket BETWEEN @LOW@ AND @HIGH@ AND has([@ORDER@], build_key)
	LIMIT 1 BY bucket, boot_key
)
ARRAY JOIN many AS one, total AS total_ns
WHERE one IN (SELECT series FROM (@SPANS@))
GROUP BY one, board_key
