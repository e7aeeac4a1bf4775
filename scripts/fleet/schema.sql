-- SPDX-License-Identifier: GPL-2.0
-- The records of a fleet in ClickHouse, 18.16 or later. Each server of cluster "kfi" is a shard and gets
-- these tables; a boot is on the shard of its board. Rows of a load that was repeated are the same rows
-- again: merges drop them, and the questions count each boot once before they are merged.
CREATE DATABASE IF NOT EXISTS kfi;

CREATE TABLE IF NOT EXISTS kfi.boot_local (
	boot String, board String, build String, arch String, config String, log String, kernel String,
	build_id String, time UInt32, complete UInt8, lost UInt64, total_ns UInt64
) ENGINE = ReplacingMergeTree PARTITION BY toMonday(toDate(time, 'UTC')) ORDER BY (build, board, boot);

CREATE TABLE IF NOT EXISTS kfi.boot AS kfi.boot_local
ENGINE = Distributed(kfi, kfi, boot_local, cityHash64(board));

-- A row for each function, phase and piece of the critical path (kind) of a boot. at: where a phase begins.
CREATE TABLE IF NOT EXISTS kfi.value_local (
	kind String, build String, name String, boot_id UInt64, week Date, board String, at UInt64,
	calls UInt64, total UInt64, self UInt64, longest UInt64
) ENGINE = ReplacingMergeTree PARTITION BY week ORDER BY (kind, build, name, boot_id);

CREATE TABLE IF NOT EXISTS kfi.value AS kfi.value_local
ENGINE = Distributed(kfi, kfi, value_local, cityHash64(board));

-- What the questions read: of each build and series the medians, made anew by each load for the builds
-- that it has touched. The last version counts.
CREATE TABLE IF NOT EXISTS kfi.series_local (
	kind String, build String, name String, made UInt64, first_time UInt32, at Float64, boots UInt64,
	total_ns Float64, self_ns Float64, max_ns Float64, deviation_ns Float64
) ENGINE = ReplacingMergeTree(made) ORDER BY (kind, build, name);

CREATE TABLE IF NOT EXISTS kfi.series AS kfi.series_local
ENGINE = Distributed(kfi, kfi, series_local, cityHash64(build));

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

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_function TO kfi.value AS
SELECT 'function' AS kind, build, name, cityHash64(boot) AS boot_id,
	toMonday(toDate(time, 'UTC')) AS week, board, toUInt64(0) AS at, calls, total, self, longest
FROM kfi.record
ARRAY JOIN `function.name` AS name, `function.count` AS calls, `function.total_ns` AS total,
	`function.self_ns` AS self, `function.max_ns` AS longest
WHERE complete = 1;

-- Phases of the same name are added up, and so are the pieces of the path in a function.
CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_phase TO kfi.value AS
SELECT 'phase' AS kind, build, name, cityHash64(boot) AS boot_id,
	toMonday(toDate(time, 'UTC')) AS week, board, min(entry) AS at, toUInt64(count()) AS calls,
	sum(length) AS total, toUInt64(0) AS self, toUInt64(0) AS longest
FROM kfi.record
ARRAY JOIN `phase.name` AS name, `phase.entry_ns` AS entry, `phase.length_ns` AS length
WHERE complete = 1
GROUP BY build, name, boot, time, board;

CREATE MATERIALIZED VIEW IF NOT EXISTS kfi.record_path TO kfi.value AS
SELECT 'path' AS kind, build, if(function = '', '(unknown)', function) AS name, cityHash64(boot) AS boot_id,
	toMonday(toDate(time, 'UTC')) AS week, board, toUInt64(0) AS at, toUInt64(count()) AS calls,
	sum(length) AS total, toUInt64(0) AS self, toUInt64(0) AS longest
FROM kfi.record
ARRAY JOIN `path.function` AS function, `path.length_ns` AS length
WHERE complete = 1
GROUP BY build, function, boot, time, board;
