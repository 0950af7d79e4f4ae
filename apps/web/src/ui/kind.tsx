import type { Inputs } from '@coffer/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ComponentType, type ReactNode } from 'react';
import { useAddress } from '../app/address.ts';
import { useChange } from '../app/ask.ts';
import { useProjectId } from '../app/project.ts';
import { useProjectRights } from '../app/rights.ts';
import { Act } from './act.tsx';
import { Button } from './button.tsx';
import { NewButton } from './creation.tsx';
import { Detail, Facts, Part } from './detail.tsx';
import { Dialog } from './dialog.tsx';
import { emptyText } from './empty-text.ts';
import type { Events } from './events-link.tsx';
import { Filters, SearchFilter } from './filter.tsx';
import { Page } from './page.tsx';
import { Pager, usePage } from './pager.tsx';
import { Queried } from './query.tsx';
import { OperationForm, type OperationFormProps } from './schema-form/operation-form.tsx';
import { isEntered } from './schema-form/value.ts';
import { ShownOnce } from './shown-once.tsx';
import { Table, type Column } from './table.tsx';
import { toast } from './toast.tsx';
import { texts } from './texts.ts';
import { words } from './words.texts.ts';

type Area = keyof Inputs;
type Fact = readonly [name: string, value: ReactNode];
type Value = readonly [name: string, value: string];

/** Which things of a project are listed. */
export interface Listing {
  readonly projectId: string;
  readonly offset: number;
  readonly limit: number;
  readonly search?: string | undefined;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Of all pages; `undefined`: there is one. */
  readonly total?: number | undefined;
}

interface Own<Row> {
  readonly of: Row;
}

/**
 * Things of one kind in a project, which the area of the API lists, creates, reads, updates and deletes: from this are their list
 * (`KindList`) and the page of each (`KindDetail`), with forms generated from the schemas of `create` and `update`.
 */
export interface Kind<Row> {
  /** `policy`, in `New policy`. */
  readonly what: string;
  readonly title: string;
  readonly lead: ReactNode;
  /** What stands there without any. */
  readonly empty: string;
  readonly area: Area;
  /** Of the rules about them. */
  readonly subject: string;
  /** The address of the list, */
  readonly path: string;
  /** and of one of them; default: `/$id` below. */
  readonly onePath?: string;
  /** Links to what is beside it. */
  readonly Tabs: ComponentType;
  readonly useRows: (listing: Listing) => UseQueryResult<Rows<Row>, unknown>;
  /** Whether the list can be searched, by the server. */
  readonly isSearched?: boolean;
  readonly useRow: (id: string, projectId: string) => UseQueryResult<Row, unknown>;
  readonly idOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** Besides the name. */
  readonly columns: readonly Column<Row>[];
  readonly factsOf: (row: Row) => readonly Fact[];
  /** Names it for the operations. */
  readonly refOf: (row: Row) => object;
  /** What its events in the audit log have of it. */
  readonly aboutOf: (row: Row) => NonNullable<Events['about']>;
  /** What a creation has without being asked; default: the project. */
  readonly given?: (projectId: string) => object;
  readonly form?: Pick<
    OperationFormProps<Area, never>,
    'parts' | 'prominent' | 'only' | 'hidden' | 'initial' | 'affects'
  >;
  /** What an update begins with; default: what is read. */
  readonly currentOf?: (row: Row) => object;
  /** Fields of the creation that an update cannot change are absent there; these others are, too. */
  readonly hiddenInUpdate?: readonly string[];
  /** What a creation or an update answers once only. */
  readonly shownOnce?: (row: Row) => readonly Value[];
  /** Whether its deletion is under way: it is neither updated nor deleted. */
  readonly isEnded?: (row: Row) => boolean;
  /** What a deletion does, besides that. */
  readonly deletion?: ReactNode;
  /** Beside the creation. */
  readonly ListActions?: ComponentType;
  /** Besides updating and deleting. */
  readonly Actions?: ComponentType<Own<Row>>;
  /** Below the facts. */
  readonly More?: ComponentType<Own<Row>>;
}

interface OfKind<Row> {
  readonly of: Kind<Row>;
}

const PAGE = 50;

/** The things of a kind. */
export function KindList<Row>({ of: kind }: OfKind<Row>) {
  const { title, lead, what, subject, Tabs, ListActions, isSearched = false } = kind;
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const [{ search }] = useAddress();
  const page = usePage(PAGE);
  const rows = kind.useRows({ projectId, ...page, ...(search && { search }) });
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <>
          {ListActions && <ListActions />}
          {may(subject, 'create') && <NewButton>{texts.newOne(what)}</NewButton>}
        </>
      }
    >
      <Tabs />
      {isSearched && (
        <Filters label={texts.names}>
          <SearchFilter name="search" label={texts.searchByName} />
        </Filters>
      )}
      <Queried query={rows}>
        {({ rows: all, total = all.length }) => (
          <>
            <Table
              label={title}
              rows={all}
              keyOf={kind.idOf}
              empty={emptyText(may, subject, search ? texts.nothingHasThisName : kind.empty)}
              columns={[{ title: words.name, cell: (row) => <KindLink of={kind} row={row} /> }, ...kind.columns]}
            />
            <Pager {...page} total={total} />
          </>
        )}
      </Queried>
      <Creating of={kind} />
    </Page>
  );
}

/** The address of one. */
const onePathOf = <Row,>({ path, onePath = `${path}/$id` }: Kind<Row>): string => onePath;

const KindLink = <Row,>({ of: kind, row }: OfKind<Row> & { readonly row: Row }) => {
  const projectId = useProjectId();
  return (
    <Link to={onePathOf(kind)} params={{ projectId, id: kind.idOf(row) }}>
      {kind.nameOf(row)}
    </Link>
  );
};

/** A form of which the types are not known: which procedure it is for is the kind's. */
const AnyForm = OperationForm as unknown as ComponentType<
  Omit<OperationFormProps<Area, never>, 'given' | 'procedure' | 'onDone'> & {
    readonly procedure: string;
    readonly given: object;
    readonly onDone: (output: unknown) => void;
  }
>;

/** What a creation or an update answers, without its wrapper. */
const madeIn = (output: unknown): unknown =>
  isEntered(output) && !('id' in output) ? Object.values(output).find(isEntered) : output;

/** Values that are there once, and what comes after them. */
interface Once {
  readonly values: readonly Value[];
  readonly goOn: () => unknown;
}

/** Shows what is answered once, before it goes on. */
function useOnce<Row>({ what, shownOnce }: Kind<Row>) {
  const [once, setOnce] = useState<Once>();
  return {
    after: (row: Row, then: () => unknown) => {
      const values = shownOnce?.(row) ?? [];
      if (values.length > 0) setOnce({ values, goOn: then });
      else then();
    },
    dialog: once && (
      <ShownOnce title={texts.ofThisOne(what)} note={texts.thisIsShownOnce} values={once.values} onClose={once.goOn} />
    ),
  };
}

function Creating<Row>({ of: kind }: OfKind<Row>) {
  const { what, area, given, form, nameOf, idOf } = kind;
  const projectId = useProjectId();
  const [{ new: isNew }, go] = useAddress();
  const navigate = useNavigate();
  const { after, dialog } = useOnce(kind);
  if (dialog) return dialog;
  if (!isNew) return null;
  const close = () => go({ new: undefined });
  return (
    <Dialog look="wide" title={texts.newOne(what)} onClose={close}>
      <AnyForm
        {...form}
        area={area}
        procedure="create"
        given={given ? given(projectId) : { projectId }}
        submit={words.create}
        onCancel={close}
        onDone={(output) => {
          const row = madeIn(output) as Row;
          toast(texts.isCreated(what, nameOf(row)));
          after(row, () => void navigate({ to: onePathOf(kind), params: { projectId, id: idOf(row) } }));
        }}
      />
    </Dialog>
  );
}

/** One thing of a kind. */
export function KindDetail<Row>({ of: kind }: OfKind<Row>) {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const found = kind.useRow(id, useProjectId());
  return <Queried query={found}>{(row) => <One of={kind} row={row} />}</Queried>;
}

function One<Row>({ of: kind, row }: OfKind<Row> & { readonly row: Row }) {
  const { title, what, path, subject, nameOf, factsOf, Actions, More } = kind;
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const isEnded = kind.isEnded?.(row) ?? false;
  return (
    <Detail
      title={nameOf(row)}
      back={{ label: title, to: path, params: { projectId } }}
      events={{ about: kind.aboutOf(row) }}
      actions={
        <>
          {Actions && <Actions of={row} />}
          {!isEnded && may(subject, 'edit') && <Updating of={kind} row={row} />}
          {!isEnded && may(subject, 'delete') && <Deleting of={kind} row={row} />}
        </>
      }
    >
      <Part title={texts.thisOne(what)}>
        <Facts of={factsOf(row)} />
      </Part>
      {More && <More of={row} />}
    </Detail>
  );
}

function Updating<Row>({ of: kind, row }: OfKind<Row> & { readonly row: Row }) {
  const { what, area, form, refOf, nameOf, idOf, currentOf = (one) => one as object } = kind;
  const [isOpen, setOpen] = useState(false);
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { after, dialog } = useOnce(kind);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.update}</Button>
      {dialog}
      {isOpen && !dialog && (
        <Dialog look="wide" title={texts.updateName(nameOf(row))} onClose={close}>
          <AnyForm
            {...form}
            area={area}
            procedure="update"
            given={refOf(row)}
            hidden={[...(form?.hidden ?? []), ...(kind.hiddenInUpdate ?? [])]}
            update={{ current: currentOf(row) }}
            submit={words.save}
            onCancel={close}
            onDone={(output) => {
              const now = madeIn(output) as Row;
              toast(texts.isUpdated(what, nameOf(now)));
              after(now, () => {
                close();
                // Some are found by their names.
                if (idOf(now) !== idOf(row))
                  return navigate({ to: onePathOf(kind), params: { projectId, id: idOf(now) } });
              });
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function Deleting<Row>({ of: kind, row }: OfKind<Row> & { readonly row: Row }) {
  const { what, area, path, form, refOf, nameOf, deletion } = kind;
  const remove = useChange(area, 'delete' as never, form?.affects ?? [area]);
  const projectId = useProjectId();
  const navigate = useNavigate();
  return (
    <Act
      label={words.delete}
      kind="danger"
      done={texts.isDeleted(what, nameOf(row))}
      run={async () => {
        await remove.mutateAsync(refOf(row) as never);
        await navigate({ to: path, params: { projectId } });
      }}
      ask={{ title: texts.deleteQuestion(what, nameOf(row)), children: deletion && <p>{deletion}</p> }}
    />
  );
}
