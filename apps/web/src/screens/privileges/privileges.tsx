import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import access from '../access/access.module.css';
import { Remove } from '../access/remove.tsx';
import { windowText } from '../access/window-fields.tsx';
import { stateOf } from '../access/window.ts';
import { PrivilegeForm } from './privilege-form.tsx';
import type { PrivilegeScope } from './scope.ts';

interface PrivilegesProps {
  readonly of: string;
  readonly projectId: string;
  readonly scope: PrivilegeScope;
  readonly isEditable: boolean;
}

const NEW = 'new';
const KINDS = { on: 'good', upcoming: 'warn', over: 'bad' } as const;

/** Rules for one member beside its roles, often for a time. Which one is open is in the address. */
export function Privileges({ of, projectId, scope, isEditable }: PrivilegesProps) {
  const [{ privilege }, go] = useAddress();
  const close = () => go({ privilege: undefined });
  return (
    <section className={access['section']}>
      <h3>Additional privileges</h3>
      <p>Rules for {of} alone. They override those of all roles.</p>
      <Queried query={scope.list}>
        {({ privileges }) => (
          <Table
            label="Additional privileges"
            rows={privileges}
            keyOf={({ id }) => id}
            empty="None."
            columns={[
              { title: 'Name', cell: ({ slug }) => slug },
              {
                title: 'When',
                cell: (one) => <Badge kind={KINDS[stateOf(one)]}>{windowText(one) || 'permanent'}</Badge>,
              },
              {
                title: 'Rules',
                cell: ({ id, slug }) => (
                  <Button kind="quiet" aria-label={`Rules of ${slug}`} onClick={() => go({ privilege: id })}>
                    Rules
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Queried>
      {isEditable && (
        <div className={access['buttons']}>
          <Button onClick={() => go({ privilege: NEW })}>
            <Plus size={16} aria-hidden /> Add a privilege
          </Button>
        </div>
      )}
      {privilege === NEW && (
        <Dialog title={`New privilege of ${of}`} look="wide" onClose={close}>
          <PrivilegeForm projectId={projectId} planned={scope.create} isEditable onDone={close} />
        </Dialog>
      )}
      {privilege && privilege !== NEW && (
        <Opened of={of} projectId={projectId} scope={scope} isEditable={isEditable} onClose={close} />
      )}
    </section>
  );
}

function Opened({
  of,
  projectId,
  scope: { opened, update, remove },
  isEditable,
  onClose,
}: PrivilegesProps & { readonly onClose: () => void }) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Dialog title={`Privilege of ${of}`} look="wide" onClose={onClose}>
      <Queried query={opened}>
        {({ privilege }) => (
          <>
            <PrivilegeForm
              key={privilege.updatedAt}
              projectId={projectId}
              privilege={privilege}
              planned={update}
              isEditable={isEditable}
              onDone={() => toast('The privilege is saved.')}
            />
            {isEditable && (
              <Button kind="danger" onClick={() => setRemoving(true)}>
                Take this privilege away
              </Button>
            )}
            {isRemoving && (
              <Remove
                title={`Take ${privilege.slug} away`}
                submit="Take away"
                planned={remove}
                input={{}}
                onClose={() => setRemoving(false)}
                onDone={() => {
                  toast(`The privilege ${privilege.slug} is gone.`);
                  onClose();
                }}
              >
                {of} loses what only the privilege {privilege.slug} allows.
              </Remove>
            )}
          </>
        )}
      </Queried>
    </Dialog>
  );
}
