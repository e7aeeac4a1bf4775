-- SPDX-License-Identifier: GPL-2.0
-- The records of a fleet in ClickHouse, 18.16 or later. Each server of cluster "kfi" is a shard and gets
-- these tables; a boot is on the shard of its board. Rows of a load that was repeated are the same rows
-- again: merges drop them, and what reads them takes each boot once before they are merged.
CREATE DATABASE IF NOT EXISTS kfi;

CREATE TABLE IF NOT EXISTS kfi.boot_local (
	boot String, board String, build String, arch String, config String, log String, kernel String,
	build_id String, time UInt32, complete UInt8, lost UInt64, total_ns UInt64
) ENGINE = ReplacingMergeTree PARTITION BY toMonday(toDate(time, 'UTC')) ORDER BY (build, board, boot);

CREATE TABLE IF NOT EXISTS kfi.boot AS kfi.boot_local
ENGINE = Distributed(kfi, kfi, boot_local, cityHash64(board));

-- A series is a number of each boot: its total, a phase, or a function. It is named by a hash, as are builds,
-- boards and boots: cityHash64 of kind and name.
CREATE TABLE IF NOT EXISTS kfi.name_local (
	series UInt64, bucket UInt8, kind String, name String
) ENGINE = ReplacingMergeTree ORDER BY series;

CREATE TABLE IF NOT EXISTS kfi.name AS kfi.name_local
ENGINE = Distributed(kfi, kfi, name_local, series);

-- The values of a boot, in arrays: those of functions in the buckets 0 to 63, so that one function is read
-- without all others, phases in bucket 64, the total in bucket 65. at: where a phase begins. The greatest number
-- of 64 bits stands for an unknown time of a function: no call returned.
CREATE TABLE IF NOT EXISTS kfi.times_local (
	bucket UInt8, build_key UInt64, board_key UInt64, boot_key UInt64, week Date, series Array(UInt64), at Array(UInt64),
	calls Array(UInt64), total Array(UInt64), self Array(UInt64), longest Array(UInt64)
) ENGINE = ReplacingMergeTree PARTITION BY week ORDER BY (bucket, build_key, board_key, boot_key);

CREATE TABLE IF NOT EXISTS kfi.times AS kfi.times_local
ENGINE = Distributed(kfi, kfi, times_local, board_key);

-- The critical path of a boot, by function.
CREATE TABLE IF NOT EXISTS kfi.path_local (
	build_key UInt64, board_key UInt64, boot_key UInt64, week Date, total_ns UInt64, series Array(UInt64), total Array(UInt64)
) ENGINE = ReplacingMergeTree PARTITION BY week ORDER BY (build_key, board_key, boot_key);

CREATE TABLE IF NOT EXISTS kfi.path AS kfi.path_local
ENGINE = Distributed(kfi, kfi, path_local, board_key);

-- What the questions read is made by kfi-fleet update, at the end of a load. The last version counts (made).
-- The medians of each build and series:
CREATE TABLE IF NOT EXISTS kfi.median_local (
	kind String, build String, name String, made UInt64, boots UInt64, at Float64, total_ns Float64, self_ns Float64, max_ns Float64
) ENGINE = ReplacingMergeTree(made) ORDER BY (kind, build, name);

CREATE TABLE IF NOT EXISTS kfi.median AS kfi.median_local
ENGINE = Distributed(kfi, kfi, median_local, cityHash64(build));

-- Answers, each of an update. Those of the update that was finished last count.
CREATE TABLE IF NOT EXISTS kfi.change_local (
	made UInt64, kind String, name String, build String, before_ns Float64, change_ns Float64, chance Float64,
	boards UInt64
) ENGINE = ReplacingMergeTree ORDER BY (made, kind, name, build);

CREATE TABLE IF NOT EXISTS kfi.change AS kfi.change_local
ENGINE = Distributed(kfi, kfi, change_local, cityHash64(name));

CREATE TABLE IF NOT EXISTS kfi.modes_local (
	made UInt64, kind String, name String, low_ns Float64, high_ns Float64, high_percent Float64, distance Float64
) ENGINE = ReplacingMergeTree ORDER BY (made, kind, name);

CREATE TABLE IF NOT EXISTS kfi.modes AS kfi.modes_local
ENGINE = Distributed(kfi, kfi, modes_local, cityHash64(name));

CREATE TABLE IF NOT EXISTS kfi.worst_local (
	made UInt64, name String, others_ns Float64, slow_ns Float64
) ENGINE = ReplacingMergeTree ORDER BY (made, name);

CREATE TABLE IF NOT EXISTS kfi.worst AS kfi.worst_local
ENGINE = Distributed(kfi, kfi, worst_local, cityHash64(name));

CREATE TABLE IF NOT EXISTS kfi.updated_local (made UInt64) ENGINE = ReplacingMergeTree ORDER BY made;

CREATE TABLE IF NOT EXISTS kfi.updated AS kfi.updated_local
ENGINE = Distributed(kfi, kfi, updated_local, made);

-- Records are written here as they are; the views take them apart.
CREATE TABLE IF NOT EXISTS kfi.record (
	board String, boot String, build String, arch String, config String, log String, kernel String,
	build_id String, time UInt32, complete UInt8, lost UInt64, total_ns UInt64,
	`phase.name` Array(String), `phase.entry_ns` Array(UInt64), `phase.length_ns` Array(UInt64),
	`path.function` Array(String), `path.length_ns` Array(UInt64),
	`function.name` Array(String), `function.count` Array(UInt64), `function.total_ns` Array(UInt64),
	`function.self_ns` Array(UInt64), `function.max_ns` Array(UInt64)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_boot TO kfi.boot AS
SELECT boot, board, build, arch, config, log, kernel, build_id, time, complete, lost, total_ns
FROM kfi.record;

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_name_total TO kfi.name AS
SELECT cityHash64('boot', '(the boot)') AS series, 65 AS bucket, 'boot' AS kind, '(the boot)' AS name
FROM kfi.record GROUP BY series;

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_name_phase TO kfi.name AS
SELECT cityHash64('phase', name) AS series, 64 AS bucket, 'phase' AS kind, arrayJoin(groupUniqArrayArray(`phase.name`)) AS name
FROM kfi.record;

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_name_function TO kfi.name AS
SELECT cityHash64('function', name) AS series, cityHash64('function', name) % 64 AS bucket, 'function' AS kind,
	arrayJoin(groupUniqArrayArray(`function.name`)) AS name
FROM kfi.record;

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_name_path TO kfi.name AS
SELECT cityHash64('path', name) AS series, 255 AS bucket, 'path' AS kind,
	arrayJoin(arrayMap(x -> if(x = '', '(unknown)', x), groupUniqArrayArray(`path.function`))) AS name
FROM kfi.record;

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_total TO kfi.times AS
SELECT 65 AS bucket, cityHash64(build) AS build_key, cityHash64(board) AS board_key, cityHash64(boot) AS boot_key,
	toMonday(toDate(time, 'UTC')) AS week, [cityHash64('boot', '(the boot)')] AS series, [toUInt64(0)] AS at,
	[toUInt64(1)] AS calls, [total_ns] AS total, [toUInt64(0)] AS self, [toUInt64(0)] AS longest
FROM kfi.record WHERE complete = 1;

-- Phases of the same name are added up, and so are the pieces of the path in a function.
CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_phase TO kfi.times AS
SELECT 64 AS bucket, cityHash64(build) AS build_key, cityHash64(board) AS board_key, cityHash64(boot) AS boot_key,
	toMonday(toDate(time, 'UTC')) AS week,
	(arrayReduce('sumMap', [arrayMap(x -> cityHash64('phase', x), `phase.name`)], [`phase.length_ns`],
		[arrayMap(x -> toUInt64(1), `phase.name`)]) AS sums).1 AS series,
	arraySort((x, y) -> y, arrayFilter((x, n) -> n = 1, `phase.entry_ns`, arrayEnumerateUniq(`phase.name`)),
		arrayMap(x -> cityHash64('phase', x), arrayDistinct(`phase.name`))) AS at,
	sums.3 AS calls, sums.2 AS total, arrayMap(x -> toUInt64(0), sums.1) AS self,
	arrayMap(x -> toUInt64(0), sums.1) AS longest
FROM kfi.record WHERE complete = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_path TO kfi.path AS
SELECT cityHash64(build) AS build_key, cityHash64(board) AS board_key, cityHash64(boot) AS boot_key,
	toMonday(toDate(time, 'UTC')) AS week, total_ns,
	(arrayReduce('sumMap', [arrayMap(x -> cityHash64('path', if(x = '', '(unknown)', x)), `path.function`)],
		[`path.length_ns`], [arrayMap(x -> toUInt64(1), `path.function`)]) AS sums).1 AS series, sums.2 AS total
FROM kfi.record WHERE complete = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_function TO kfi.times AS
SELECT toUInt8(cityHash64('function', `function.name`) % 64) AS bucket, cityHash64(build) AS build_key,
	cityHash64(board) AS board_key, cityHash64(boot) AS boot_key, toMonday(toDate(time, 'UTC')) AS week,
	groupArray(cityHash64('function', `function.name`)) AS series, groupArray(toUInt64(0)) AS at,
	groupArray(`function.count`) AS calls, groupArray(`function.total_ns`) AS total,
	groupArray(`function.self_ns`) AS self, groupArray(`function.max_ns`) AS longest
FROM kfi.record ARRAY JOIN function
WHERE complete = 1
GROUP BY build_key, board_key, boot_key, week, bucket;
