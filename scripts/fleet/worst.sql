-- SPDX-License-Identifier: GPL-2.0
-- Functions that take more of the critical path of slow boots, those of the p95 and longer, than of others.
SELECT name, sum_others / if(all_boots > slow_boots, all_boots - slow_boots, 1) AS others_ns,
	sum_slow / slow_boots AS slow_ns, slow_ns - others_ns AS more_ns
FROM (
	SELECT name, sum(if(is_slow, ns, 0)) AS sum_slow, sum(if(is_slow, 0, ns)) AS sum_others,
		(SELECT count() FROM (SELECT boot, any(total_ns) AS total FROM kfi.boot WHERE complete = 1 GROUP BY boot)) AS all_boots,
		(SELECT countIf(total >= (SELECT arraySort(groupArray(total))[intDiv(count() * 95 + 99, 100)] FROM (SELECT boot, any(total_ns) AS total FROM kfi.boot WHERE complete = 1 GROUP BY boot))) FROM (SELECT boot, any(total_ns) AS total FROM kfi.boot WHERE complete = 1 GROUP BY boot)) AS slow_boots
	FROM (
		SELECT name, ns, boot_id IN (
			SELECT cityHash64(boot) FROM (SELECT boot, any(total_ns) AS total FROM kfi.boot WHERE complete = 1 GROUP BY boot) WHERE total >= (SELECT arraySort(groupArray(total))[intDiv(count() * 95 + 99, 100)] FROM (SELECT boot, any(total_ns) AS total FROM kfi.boot WHERE complete = 1 GROUP BY boot))
		) AS is_slow
		FROM (
			SELECT name, boot_id, any(total) AS ns FROM kfi.value WHERE kind = 'path' GROUP BY name, boot_id
		)
	)
	GROUP BY name
)
ORDER BY more_ns DESC, name LIMIT @ROWS@
