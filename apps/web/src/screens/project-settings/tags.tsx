import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Row } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { Table } from '../../ui/table.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Tag = Outputs['tags']['list']['workspaceTags'][number];
const AFFECTED = ['tags', 'secrets'] as const;

/** The tags of secrets. Rules may name them. */
export function Tags({ projectId }: { readonly projectId: string }) {
  const may = useProjectRights(projectId);
  const tags = useQuery(ask('tags', 'list', { projectId }));
  const remove = useChange('tags', 'delete', AFFECTED);
  const [opened, setOpened] = useState<Tag | 'new'>();
  const close = () => setOpened(undefined);
  const shared = { area: 'tags', affects: AFFECTED, onCancel: close, onDone: close } as const;
  return (
    <>
      <Queried query={tags}>
        {({ workspaceTags }) => (
          <Table
            label={words.tags}
            rows={workspaceTags}
            keyOf={({ id }) => id}
            empty={texts.thisProjectHasNoTags}
            columns={[
              { title: texts.tag, cell: ({ slug }) => <code>{slug}</code> },
              { title: texts.color, cell: ({ color }) => color || '–' },
              {
                title: words.actions,
                cell: (tag) => (
                  <Row>
                    {may('tags', 'edit') && (
                      <Button aria-label={texts.renameTag(tag.slug)} onClick={() => setOpened(tag)}>
                        {texts.rename}
                      </Button>
                    )}
                    {may('tags', 'delete') && (
                      <Act
                        label={words.delete}
                        kind="danger"
                        run={() => remove.mutateAsync({ projectId, tagId: tag.id })}
                        done={texts.tagIsDeleted(tag.slug)}
                        ask={{
                          title: texts.deleteTag(tag.slug),
                          children: <p>{texts.itIsRemovedFromAllSecrets}</p>,
                        }}
                      />
                    )}
                  </Row>
                ),
              },
            ]}
          />
        )}
      </Queried>
      {may('tags', 'create') && (
        <Button onClick={() => setOpened('new')}>
          <Plus size={16} aria-hidden /> {texts.newTag}
        </Button>
      )}
      {opened === 'new' && (
        <Dialog title={texts.newTag} onClose={close}>
          <OperationForm {...shared} procedure="create" given={{ projectId }} submit={words.create} />
        </Dialog>
      )}
      {opened && opened !== 'new' && (
        <Dialog title={texts.changeTag(opened.slug)} onClose={close}>
          <OperationForm
            {...shared}
            procedure="update"
            given={{ projectId, tagId: opened.id }}
            update={{ current: opened }}
            submit={words.save}
          />
        </Dialog>
      )}
    </>
  );
}
