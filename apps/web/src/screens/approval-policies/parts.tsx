import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { Choose } from '../../ui/choose.tsx';
import { FormContext, type FieldProps } from '../../ui/schema-form/context.ts';
import { isEntered, textIn } from '../../ui/schema-form/value.ts';
import { shortId } from '../../ui/short-id.ts';
import { addressBeside, nameOf } from '../access/person.ts';
import { texts } from './texts.ts';

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function Fault({ path }: { readonly path: string }) {
  const fault = useContext(FormContext).faults.get(path);
  return fault ? <p role="alert">{fault}</p> : null;
}

/** Users and groups of the project. */
export function ApproversPart({ path, value, onChange }: FieldProps) {
  const projectId = useProjectId();
  const people = useQuery(ask('projectMembers', 'list', { projectId }));
  const groups = useQuery(ask('projectGroups', 'list', { projectId }));
  const options = [
    ...(groups.data?.groupMemberships ?? []).map(({ group }) => ({
      id: `group:${group.id}`,
      label: group.name,
      detail: texts.group,
    })),
    ...(people.data?.memberships ?? []).map(({ userId, user }) => ({
      id: `user:${userId}`,
      label: nameOf(user),
      detail: addressBeside(user),
    })),
  ];
  const chosen = listIn(value)
    .filter(isEntered)
    .map(({ type, id }) => `${textIn(type)}:${textIn(id)}`);
  const choose = (ids: readonly string[]) =>
    onChange(
      ids.map((one) => {
        const [type, id] = one.split(':');
        return { type, id };
      }),
    );
  return (
    <>
      <Choose
        label={texts.approvers}
        options={options}
        chosen={chosen}
        onChange={choose}
        empty={texts.nobodyIsInThisProject}
      />
      <Fault path={path} />
    </>
  );
}

/** Machine identities of the project. */
export function IdentitiesPart({ path, value, onChange }: FieldProps) {
  const projectId = useProjectId();
  const { data } = useQuery(ask('projectIdentities', 'list', { projectId }));
  return (
    <>
      <Choose
        label={texts.machineIdentitiesThatWrite}
        options={(data?.identityMemberships ?? []).map(({ identity }) => ({
          id: identity.id,
          label: identity.name,
          detail: shortId(identity.id),
        }))}
        chosen={listIn(value).map(textIn)}
        onChange={onChange}
        empty={texts.thereIsNoMachine}
      />
      <Fault path={path} />
    </>
  );
}
