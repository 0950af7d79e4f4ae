import type { Io } from './io.ts';
import type { Secret } from './secrets.ts';
import { toggle, type Flags } from './table/command.ts';

/** Variables by which loaders, interpreters and shells run code before the program: whoever writes a secret is not to decide that. */
export const LOADERS = new RegExp(
  `^(?:${[
    'LD_.*|DYLD_.*|GCONV_PATH',
    'BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|PS4|ZDOTDIR',
    'NODE_OPTIONS|NODE_PATH|BUN_OPTIONS',
    'PYTHON(?:STARTUP|PATH|HOME|BREAKPOINT|USERBASE|WARNINGS|EXECUTABLE|INSPECT)|PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)',
    'JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|CORECLR_PROFILER.*|COR_PROFILER.*',
    'CLASSPATH|GEM_(?:HOME|PATH)|BUNDLE_GEMFILE|ERL_(?:A|Z)?FLAGS|ERL_LIBS|ELIXIR_ERL_OPTIONS|JULIA_(?:LOAD|DEPOT)_PATH',
    'R_(?:PROFILE|ENVIRON)(?:_USER)?|R_LIBS(?:_USER|_SITE)?|TCLLIBPATH|OPENSSL_(?:CONF|ENGINES|MODULES)',
    'GTK_(?:MODULES|PATH)|GIO_EXTRA_MODULES|QT_PLUGIN_PATH',
    'PHPRC|PHP_INI_SCAN_DIR|LUA_INIT.*',
    'GIT_(?:SSH|SSH_COMMAND|EXEC_PATH|EXTERNAL_DIFF|CONFIG|CONFIG_.*|ASKPASS|PROXY_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|TEMPLATE_DIR)',
    'SSH_ASKPASS|SUDO_ASKPASS|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|BROWSER',
    'NPM_CONFIG_.*|GOFLAGS|RUSTC|RUSTFLAGS|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_.*|MAKEFLAGS|MAVEN_OPTS|MAVEN_ARGS|JAVA_OPTS|GRADLE_OPTS',
  ].join('|')})$`,
  'i',
);

/** Flags of commands whose result becomes the environment of a program. */
export const loaderFlags = {
  'loader-variables': toggle(false, 'also set secrets that make programs load code, such as NODE_OPTIONS', {
    byCaller: true,
  }),
} as const satisfies Flags;

/** Leaves out the secrets by which programs load code, and says so. */
export const withoutLoaders = (secrets: readonly Secret[], keepsLoaders: boolean, io: Pick<Io, 'say'>): Secret[] =>
  secrets.filter(({ secretKey }) => {
    const isLeftOut = !keepsLoaders && LOADERS.test(secretKey);
    const reason = 'it makes programs load code. To set it all the same: --loader-variables';
    if (isLeftOut) io.say('warn', `${secretKey} is left out: ${reason}`);
    return !isLeftOut;
  });
