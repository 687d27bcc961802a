/* A shop's orders in SQLite. "sums" prints what was ordered; "crash" reads a
 * value that is not there. */
#include <stdio.h>
#include <string.h>
#include "sqlite3.h"

typedef struct customer {
	char name[32];
	double total;
	int orders;
	struct customer *next, *previous; /* a ring */
} customer;

static customer ring[5];

static int count_order(void *into, int columns, char **values, char **names)
{
	customer *c = into;
	(void)columns;
	(void)names;
	c->orders++;
	c->total += sqlite3_value_double(NULL) + (values[0] ? (double)strlen(values[0]) : 0);
	return 0;
}

static int fill(sqlite3 *db)
{
	const char *sql =
		"CREATE TABLE orders(customer TEXT, price REAL, n INTEGER);"
		"WITH RECURSIVE i(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM i WHERE x < 1000)"
		" INSERT INTO orders SELECT 'customer ' || (x % 5), x * 0.25, x % 7 FROM i;";
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static int sums(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;
	int row = 0;
	int rc = sqlite3_prepare_v2(db, "SELECT customer, sum(price * n), count(*) FROM orders GROUP BY 1 ORDER BY 1", -1, &stmt, NULL);
	while (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		customer *c = &ring[row];
		snprintf(c->name, sizeof c->name, "%s", (const char *)sqlite3_column_text(stmt, 0));
		c->total = sqlite3_column_double(stmt, 1);
		c->orders = sqlite3_column_int(stmt, 2);
		c->next = &ring[(row + 1) % 5];
		c->previous = &ring[(row + 4) % 5];
		printf("%s: %.2f in %d orders\n", c->name, c->total, c->orders);
		row++;
	}
	return sqlite3_finalize(stmt);
}

int main(int argc, char **argv)
{
	sqlite3 *db = NULL;
	if (sqlite3_open(":memory:", &db) != SQLITE_OK || fill(db) != SQLITE_OK)
		return 1;
	if (argc > 1 && strcmp(argv[1], "crash") == 0) {
		sqlite3_exec(db, "SELECT customer FROM orders LIMIT 3", count_order, &ring[0], NULL);
		return 0;
	}
	int rc = sums(db);
	sqlite3_close(db);
	return rc;
}
