-- SPDX-License-Identifier: GPL-2.0
-- What slow boots, those of the p95 and longer, and the others have of each function on their critical path.
INSERT INTO kfi.worst
SELECT @MADE@ AS made, name, others / if(all_boots > slow_boots, all_boots - slow_boots, 1) AS others_ns, slow / slow_boots AS slow_ns
FROM (
	SELECT series, sum(if(is_slow, ns, 0)) AS slow, sum(if(is_slow, 0, ns)) AS others, @BOOTS@ AS all_boots,
		(SELECT uniqExact(boot) FROM kfi.boot WHERE complete = 1 AND total_ns >= @SLOW@) AS slow_boots
	FROM (
		SELECT boot_key, total_ns >= @SLOW@ AS is_slow, series AS functions, total FROM kfi.path
		LIMIT 1 BY boot_key
	)
	ARRAY JOIN functions AS series, total AS ns
	GROUP BY series
) AS a
ALL INNER JOIN (
	SELECT series, any(name) AS name FROM kfi.name GROUP BY series
) AS b USING series
