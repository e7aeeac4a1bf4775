-- SPDX-License-Identifier: GPL-2.0
-- Part of update-chances and update-changes: of each board the builds, as numbers in @ORDER@, and how often it
-- has booted each.
SELECT board_key, groupArray(number) AS board_builds, groupArray(toInt64(boots)) AS board_boots
FROM (
	SELECT cityHash64(board) AS board_key, toUInt32(indexOf([@ORDER@], cityHash64(build))) AS number,
		uniqExact(boot) AS boots
	FROM kfi.boot WHERE complete = 1 AND has([@ORDER@], cityHash64(build))
	GROUP BY board_key, number ORDER BY board_key, number
)
GROUP BY board_key
