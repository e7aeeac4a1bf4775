-- SPDX-License-Identifier: GPL-2.0
-- What stands for unknown times of functions, as lists: the functions, and of each the medians of the boots
-- that have a time. kd --fleet does the same. A function that returns in no boot has 0.
SELECT groupArray(series), groupArray(intDiv(t[intDiv(length(t) + 1, 2)] + t[intDiv(length(t), 2) + 1], 2)),
	groupArray(intDiv(s[intDiv(length(s) + 1, 2)] + s[intDiv(length(s), 2) + 1], 2)),
	groupArray(intDiv(l[intDiv(length(l) + 1, 2)] + l[intDiv(length(l), 2) + 1], 2))
FROM (
	SELECT one AS series, arraySort(arrayFilter(x -> x > 0 AND x < @UNKNOWN@, groupArray(one_total))) AS t,
		arraySort(arrayFilter(x -> x > 0 AND x < @UNKNOWN@, groupArray(one_self))) AS s,
		arraySort(arrayFilter(x -> x > 0 AND x < @UNKNOWN@, groupArray(one_longest))) AS l
	FROM (
		SELECT boot_key, series AS many, total, self, longest FROM kfi.times WHERE bucket < 64
		LIMIT 1 BY bucket, boot_key
	)
	ARRAY JOIN many AS one, total AS one_total, self AS one_self, longest AS one_longest
	WHERE one IN (
		SELECT arrayJoin(arrayFilter((x, t, s, l) -> t = @UNKNOWN@ OR s = @UNKNOWN@ OR l = @UNKNOWN@,
			series, total, self, longest))
		FROM kfi.times WHERE bucket < 64
	)
	GROUP BY one
)
FORMAT TabSeparated
