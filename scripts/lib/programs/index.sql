CREATE TABLE item (id INTEGER PRIMARY KEY, label TEXT, weight REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
INSERT INTO item SELECT i, hex(i * 2654435761 % 4294967296), i % 977 FROM n;
CREATE INDEX item_label ON item (label, weight);
DELETE FROM item WHERE id % 3 = 0;
SELECT count(*), sum(weight), min(label), max(label) FROM item;
SELECT a.weight, count(*), group_concat(substr(a.label, 1, 2), '') FROM item a
  WHERE a.weight < 3 AND a.id < 20000 GROUP BY a.weight ORDER BY a.weight;
PRAGMA integrity_check;
VACUUM;
PRAGMA page_count;
