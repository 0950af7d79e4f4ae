import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { LogOut, Menu, Moon, Search, Sun } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { InsecureBanner } from '../ui/insecure.tsx';
import { Banner } from '../ui/note.tsx';
import { distinctNames } from '../ui/short-id.ts';
import { ask } from './ask.ts';
import { useIsAway } from './away.ts';
import { toastError } from '../ui/toast.tsx';
import styles from './layout.module.css';
import type { Group } from './screen.ts';
import { useOfferedScreens } from './offered.ts';
import { chooseOrganization, session, signOut } from './session.ts';
import { useShortcut } from './shortcuts.ts';
import { useStore } from './store.ts';
import { isDark, setTheme, useTheme } from './theme.ts';
import { texts } from './texts.ts';
import { words } from '../ui/words.texts.ts';

const palette = async () => ({ default: (await import('./palette.tsx')).Palette });
const help = async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp });
const Palette = lazy(palette);
const ShortcutHelp = lazy(help);

type Over = ComponentType<{ readonly onClose: () => void }>;

/** What stands round every screen: where one is, where one can go, and the search. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [Over, setOver] = useState<Over>();
  const show = (over: Over) => setOver(() => over);
  const isAway = useIsAway();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => setOpen(false), [path]);
  useShortcut({ keys: 'Ctrl+K', label: texts.searchAndCommands, run: () => show(Palette) });
  useShortcut({ keys: '?', label: texts.keyboardShortcuts, run: () => show(ShortcutHelp) });
  // Beside the first screen, so that what is typed after Ctrl+K finds it.
  useEffect(() => void Promise.all([palette(), help()]).catch(() => undefined), []);
  return (
    <div className={styles['layout']}>
      <a className={styles['skip']} href="#main">
        {texts.skipToContent}
      </a>
      <header className={styles['top']}>
        <span className={styles['menuButton']}>
          <IconButton label={texts.navigation} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Menu size={18} />
          </IconButton>
        </span>
        <Link to="/" className={styles['brand']}>
          Coffer
        </Link>
        <Organizations />
        <Projects />
        <button type="button" className={styles['search']} onClick={() => show(Palette)}>
          <Search size={15} aria-hidden /> {words.search} <kbd>Ctrl K</kbd>
        </button>
        <Account />
      </header>
      <nav className={styles['side']} data-open={isOpen} aria-label={texts.main}>
        <Navigation />
      </nav>
      <main className={styles['main']} id="main" tabIndex={-1}>
        <InsecureBanner />
        {isAway && <Banner>{texts.serverCannotBeReached}</Banner>}
        {children}
      </main>
      <Suspense>{Over && <Over onClose={() => setOver(undefined)} />}</Suspense>
    </div>
  );
}

/** Round the screens that are open to everybody, for those who have not signed in. */
export const PublicLayout = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['public']}>
    <header className={styles['top']}>
      <Link to="/" className={styles['brand']}>
        Coffer
      </Link>
      <Link to="/" className={styles['signIn']}>
        {texts.signIn}
      </Link>
      <Theme />
    </header>
    <main className={styles['main']} id="main" tabIndex={-1}>
      {children}
    </main>
  </div>
);

const GROUPS: readonly (readonly [Group, string])[] = [
  ['project', words.project],
  ['organization', words.organization],
  ['account', words.account],
  ['instance', words.instance],
];

function Navigation() {
  const { projectId } = useParams({ strict: false });
  const offered = useOfferedScreens();
  return GROUPS.map(([group, title]) => {
    const shown = offered.filter((screen) => screen.group === group && !screen.isTab);
    return shown.length === 0 ? null : (
      <section key={group} aria-label={title}>
        <h2>{title}</h2>
        {shown.map(({ path, label, icon: Icon, Badge }) => (
          <Link
            key={path}
            to={path}
            params={{ projectId }}
            activeOptions={{ exact: path === '/', includeSearch: false }}
          >
            <Icon size={16} aria-hidden /> {label} {Badge && <Badge />}
          </Link>
        ))}
      </section>
    );
  });
}

function Organizations() {
  const now = useStore(session);
  const { data } = useQuery(ask('account', 'organizations', {}));
  const navigate = useNavigate();
  if (now.state !== 'signed-in' || !data) return null;
  const current = data.organizations.find(({ id }) => id === now.organizationId);
  if (data.organizations.length < 2) return <span className={styles['wide']}>{current?.name}</span>;
  const choose = async (id: string) => {
    await navigate({ to: '/' });
    await chooseOrganization(id);
  };
  return (
    <select
      aria-label={words.organization}
      value={now.organizationId}
      onChange={(event) => void choose(event.target.value)}
    >
      {data.organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Projects() {
  const { projectId } = useParams({ strict: false });
  const { data } = useQuery(ask('projects', 'list', {}));
  const navigate = useNavigate();
  if (!projectId || !data) return null;
  const names = distinctNames(data.projects, ({ slug }) => slug);
  return (
    <select
      aria-label={words.project}
      value={projectId}
      onChange={(event) =>
        void navigate({ to: '/projects/$projectId/secrets', params: { projectId: event.target.value } })
      }
    >
      {data.projects.map((project) => (
        <option key={project.id} value={project.id}>
          {names.get(project)}
        </option>
      ))}
    </select>
  );
}

function Theme() {
  const dark = isDark(useTheme());
  return (
    <IconButton label={dark ? texts.lightTheme : texts.darkTheme} onClick={() => setTheme(dark ? 'light' : 'dark')}>
      {dark ? <Sun size={16} /> : <Moon size={16} />}
    </IconButton>
  );
}

function Account() {
  const now = useStore(session);
  if (now.state !== 'signed-in') return null;
  return (
    <>
      <Link to="/account" className={styles['wide']} title={words.account}>
        {now.user.email}
      </Link>
      <Theme />
      <IconButton label={texts.signOut} onClick={() => void signOut().catch(toastError)}>
        <LogOut size={16} />
      </IconButton>
    </>
  );
}
