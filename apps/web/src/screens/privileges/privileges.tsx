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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
      <h3>{texts.additionalPrivileges}</h3>
      <p>{texts.rulesForAlone(of)}</p>
      <Queried query={scope.list}>
        {({ privileges }) => (
          <Table
            label={texts.additionalPrivileges}
            rows={privileges}
            keyOf={({ id }) => id}
            empty={texts.thereIsNone}
            columns={[
              { title: words.name, cell: ({ slug }) => slug },
              {
                title: words.when,
                cell: (one) => <Badge kind={KINDS[stateOf(one)]}>{windowText(one) || texts.permanent}</Badge>,
              },
              {
                title: words.rules,
                cell: ({ id, slug }) => (
                  <Button kind="quiet" aria-label={texts.rulesOf(slug)} onClick={() => go({ privilege: id })}>
                    {words.rules}
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
            <Plus size={16} aria-hidden /> {texts.addPrivilege}
          </Button>
        </div>
      )}
      {privilege === NEW && (
        <Dialog title={texts.newPrivilegeOf(of)} look="wide" onClose={close}>
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
    <Dialog title={texts.privilegeOf(of)} look="wide" onClose={onClose}>
      <Queried query={opened}>
        {({ privilege }) => (
          <>
            <PrivilegeForm
              key={privilege.updatedAt}
              projectId={projectId}
              privilege={privilege}
              planned={update}
              isEditable={isEditable}
              onDone={() => toast(texts.privilegeIsSaved)}
            />
            {isEditable && (
              <Button kind="danger" onClick={() => setRemoving(true)}>
                {texts.takeThisPrivilegeAway}
              </Button>
            )}
            {isRemoving && (
              <Remove
                title={texts.takeAway(privilege.slug)}
                submit={texts.takeAwayTitle}
                planned={remove}
                input={{}}
                onClose={() => setRemoving(false)}
                onDone={() => {
                  toast(texts.privilegeIsGone(privilege.slug));
                  onClose();
                }}
              >
                {texts.losesWhatOnlyPrivilege(of, privilege.slug)}
              </Remove>
            )}
          </>
        )}
      </Queried>
    </Dialog>
  );
}
