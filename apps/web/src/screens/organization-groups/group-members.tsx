import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Named } from '../../ui/named.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import access from '../access/access.module.css';
import { addressBeside, nameOf } from '../access/person.ts';
import { usePlannedChange } from '../access/planned.ts';
import { Remove } from '../access/remove.tsx';
import { AddToGroup } from './add-to-group.tsx';
import type { Group } from './group.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Member = Outputs['groups']['members']['members'][number];

const memberName = (member: Member): string =>
  member.type === 'user' ? nameOf(member.user) : member.machineIdentity.name;

/** The people and machines of a group. */
export function GroupMembers({ group: { id, name } }: { readonly group: Group }) {
  const members = useQuery(ask('groups', 'members', { id, limit: 100 }));
  const may = useOrganizationRights();
  const [adding, setAdding] = useState<'users' | 'identities'>();
  const [removed, setRemoved] = useState<Member>();
  return (
    <section className={access['section']}>
      <h3>{words.members}</h3>
      <Queried query={members}>
        {({ members: all, totalCount }) => (
          <>
            <Table
              label={texts.membersOfGroup}
              rows={all}
              keyOf={(one) => `${one.type} ${one.id}`}
              empty={texts.nobodyIsInItYet}
              columns={[
                {
                  title: words.name,
                  cell: (one) => (
                    <Named
                      {...(one.type === 'user' ? { by: addressBeside(one.user) } : { id: one.machineIdentity.id })}
                    >
                      {memberName(one)} {one.type !== 'user' && <Badge>{texts.machine}</Badge>}
                    </Named>
                  ),
                },
                {
                  title: words.remove,
                  cell: (one) =>
                    may('groups', one.type === 'user' ? 'remove-members' : 'remove-identities') && (
                      <IconButton label={texts.removeName(memberName(one))} onClick={() => setRemoved(one)}>
                        <X size={16} />
                      </IconButton>
                    ),
                },
              ]}
            />
            {totalCount > all.length && <p>{texts.moreAreNotShown(totalCount - all.length)}</p>}
          </>
        )}
      </Queried>
      <div className={access['buttons']}>
        {may('groups', 'add-members') && (
          <Button onClick={() => setAdding('users')}>
            <Plus size={16} aria-hidden /> {texts.addPeople}
          </Button>
        )}
        {may('groups', 'add-identities') && (
          <Button onClick={() => setAdding('identities')}>
            <Plus size={16} aria-hidden /> {texts.addMachines}
          </Button>
        )}
      </div>
      {adding && <AddToGroup groupId={id} kind={adding} onClose={() => setAdding(undefined)} />}
      {removed && <RemoveMember groupId={id} name={name} member={removed} onClose={() => setRemoved(undefined)} />}
    </section>
  );
}

interface RemoveMemberProps {
  readonly groupId: string;
  readonly name: string;
  readonly member: Member;
  readonly onClose: () => void;
}

function RemoveMember({ groupId, name, member, onClose }: RemoveMemberProps) {
  const removeUser = usePlannedChange('groups', 'removeUser');
  const removeIdentity = usePlannedChange('groups', 'removeIdentity');
  const who = memberName(member);
  const shared = {
    title: texts.removeName(who),
    submit: words.remove,
    onClose,
    onDone: () => {
      toast(texts.isRemovedFrom(who, name));
      onClose();
    },
    children: texts.losesWhatOnlyGroup(who, name),
  };
  return member.type === 'user' ? (
    <Remove {...shared} planned={removeUser} input={{ id: groupId, username: member.user.username }} />
  ) : (
    <Remove
      {...shared}
      planned={removeIdentity}
      input={{ id: groupId, machineIdentityId: member.machineIdentity.id }}
    />
  );
}
