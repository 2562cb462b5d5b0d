-- The roles of a team's store: an owner that makes and changes tables, and the one that nodes use, which cannot. Run it as an
-- administrator in the database of the store, once:
--
--   psql -v ON_ERROR_STOP=1 -v schema=brenner -v owner=brenner_owner -v node=brenner_node -d brenner -f roles.sql
--
-- then give both a way to log in (ALTER ROLE brenner_node PASSWORD …, or a certificate: pg_hba.conf), open the store once as its owner, which
-- makes the tables (brenner doctor --store postgres://brenner_owner@…), and run roles.sql again: it is harmless twice. After an
-- upgrade open it as its owner once more before the nodes are replaced; nodes of the previous release go on working.

SELECT format('CREATE ROLE %I LOGIN', name) FROM (VALUES (:'owner'), (:'node')) AS wanted (name)
	WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec

CREATE SCHEMA IF NOT EXISTS :"schema" AUTHORIZATION :"owner";
GRANT USAGE ON SCHEMA :"schema" TO :"node";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA :"schema" TO :"node";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"node";
-- What says which programs may work here is the owner's.
SELECT format('REVOKE INSERT, UPDATE, DELETE ON %I.schema_version FROM %I', :'schema', :'node')
	WHERE to_regclass(format('%I.schema_version', :'schema')) IS NOT NULL \gexec
-- verify --repair makes the search index again.
SELECT format('GRANT TRUNCATE ON %I.search TO %I', :'schema', :'node')
	WHERE to_regclass(format('%I.search', :'schema')) IS NOT NULL \gexec

-- What a connection sets for itself, here for connections that pass a pooler in transaction mode, which keeps no settings:
-- postgres://brenner_node@pooler:6432/brenner?pooler=transaction&listener=db:5432
SELECT format('ALTER ROLE %I IN DATABASE %I SET %s = %s', role, current_database(), setting, value)
	FROM (VALUES (:'owner'), (:'node')) AS roles (role), (VALUES
		('search_path', quote_ident(:'schema')), ('enable_seqscan', 'off'), ('jit', 'off'), ('synchronous_commit', '''on'''),
		('lock_timeout', '''10s'''), ('idle_in_transaction_session_timeout', '''60s''')) AS settings (setting, value) \gexec
SELECT format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = ''60s''', :'node', current_database()) \gexec
