import { migration } from './migration.ts';

/**
 * Roles and privileges keep the size of their rules, which counts the alternatives of globs, and when these were given:
 * a change of anything else gives nothing.
 */
export const m0062SizeOfRules = migration(
  '0062-size-of-rules',
  `
-- Null if it is unknown: of rules that the previous release wrote.
alter table roles add column rules_size integer, add column rules_given_at timestamptz(3);
alter table additional_privileges add column rules_size integer, add column rules_given_at timestamptz(3);

create function keep_rules_given() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.rules_given_at := new.updated_at;
  elsif new.permissions is distinct from old.permissions then
    new.rules_given_at := new.updated_at;
    -- The previous release does not write the size.
    if new.rules_size is not distinct from old.rules_size then
      new.rules_size := null;
    end if;
  else
    new.rules_given_at := coalesce(old.rules_given_at, old.updated_at);
  end if;
  return new;
end $$;
create trigger roles_rules_given before insert or update on roles
  for each row execute function keep_rules_given();
create trigger additional_privileges_rules_given before insert or update on additional_privileges
  for each row execute function keep_rules_given();
`,
);
