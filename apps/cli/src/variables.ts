import { failure } from './exit.ts';
import type { Io } from './io.ts';
import type { Secret } from './secrets.ts';
import { toggle, type Flags } from './table/command.ts';

// What a secret may be where a shell or a program takes it for a variable. Whoever writes a secret is not to decide what runs, nor where
// credentials go.

/** A secret, or what else becomes a variable. */
export type Variable = Pick<Secret, 'secretKey' | 'secretValue'>;

const named = (names: readonly string[], flags = ''): RegExp => new RegExp(`^(?:${names.join('|')})$`, flags);

/** Programs and shells need these as they are: no secret replaces them. */
const RESERVED = [
  named([
    'HOME|PATH|PS1|PS2|PWD|OLDPWD|EDITOR|XAUTHORITY|USER|TERM|TERMINFO|TERMINFO_DIRS|TERMCAP|SHELL|MAIL|IFS|XDG_.*|LC_.*',
    // Arrays of zsh, tied to variables in capitals.
    'path|cdpath|fpath|mailpath|module_path',
  ]),
  named(['PATH|PATHEXT|COMSPEC|SYSTEMROOT|WINDIR|FISH_.*'], 'i'),
];

/** By these, loaders, interpreters, shells and common programs run code or commands that the value, or a file that it names, has. */
const LOADERS = named(
  [
    // Loaders and libraries.
    'LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|GETCONF_DIR|GLIBC_TUNABLES|[A-Z]+SAN_(?:OPTIONS|SYMBOLIZER_PATH)|VALGRIND_.*',
    'OPENSSL_(?:CONF|ENGINES|MODULES)|SSH_SK_PROVIDER|LIBMYSQL_PLUGINS|LIBMYSQL_PLUGIN_DIR|ODBC(?:INI|SYSINI|INSTINI)',
    'GTK_(?:MODULES|PATH|IM_MODULE.*)|GDK_PIXBUF_MODULE_FILE|GIO_(?:EXTRA_MODULES|MODULE_DIR)|GST_PLUGIN.*|GI_TYPELIB_PATH',
    'QT_PLUGIN_PATH|QT_QPA_PLATFORM_PLUGIN_PATH|QML2?_IMPORT_PATH|ALSA_CONFIG_.*|MAGICK_.*|DBUS_.*_ADDRESS',
    // Shells.
    'BASH_ENV|BASH_FUNC_.*|BASH_LOADABLES_PATH|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|PS4|ZDOTDIR|FPATH|CDPATH|NULLCMD|READNULLCMD',
    'INPUTRC|HISTFILE|STTY|DIRENV_.*|STARSHIP_CONFIG|FZF_.*|SCREENRC|SYSSCREENRC',
    // Interpreters, virtual machines and what they build with.
    'NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|TS_NODE_.*|BUN_OPTIONS|BUN_INSTALL|NPM_CONFIG_.*|COREPACK_.*|ESBUILD_BINARY_PATH',
    'PYTHON(?:STARTUP|PATH|HOME|BREAKPOINT|USERBASE|WARNINGS|EXECUTABLE|INSPECT|PYCACHEPREFIX|PLATLIBDIR)',
    'PYTEST_(?:ADDOPTS|PLUGINS)|GUNICORN_CMD_ARGS|UWSGI_.*|PIPX_.*',
    '(?:PIP|UV|YARN)_(?!.*_(?:TOKEN|USERNAME|PASSWORD)$).*',
    'PERL.*|RUBY(?:OPT|LIB|SHELL|PATH|GEMS_GEMDEPS)|RAKEOPT|IRBRC|GEMRC|GEM_(?:HOME|PATH)|BUNDLE_(?:GEMFILE|PATH|BIN|APP_CONFIG|USER_.*|MIRROR__.*|LOCAL__.*)',
    'PHPRC|PHP_INI_SCAN_DIR|COMPOSER(?:_HOME|_VENDOR_DIR)?|LUA_(?:INIT|PATH|CPATH).*|TCLLIBPATH|TCL_LIBRARY|GUILE_LOAD.*|EMACSLOADPATH',
    '_JAVA_OPTIONS|(?:.*_)?(?:JAVA|JVM)_(?:OPTS|ARGS|HOME|OPTIONS)|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|CATALINA_(?:OPTS|HOME|BASE)',
    'MAVEN_(?:OPTS|ARGS|HOME)|M2_HOME|GRADLE_(?:OPTS|HOME|USER_HOME)|ANT_(?:OPTS|ARGS|HOME)|SBT_OPTS',
    'DOTNET_(?:STARTUP_HOOKS|ADDITIONAL_DEPS|SHARED_STORE|ROOT.*)|ASPNETCORE_HOSTINGSTARTUPASSEMBLIES|CORECLR_PROFILER.*|COR_PROFILER.*|MSBUILD.*',
    'ERL_(?:A|Z)?FLAGS|ERL_LIBS|ELIXIR_ERL_OPTIONS|JULIA_(?:LOAD|DEPOT)_PATH|JULIA_PROJECT|GHCRTS|GHC_PACKAGE_PATH|OCAML(?:PARAM|RUNPARAM)|CAML_LD_LIBRARY_PATH',
    'R_(?:PROFILE|ENVIRON)(?:_USER)?|R_LIBS(?:_USER|_SITE)?',
    'RUSTC.*|RUSTDOC.*|RUSTFLAGS|RUSTUP_.*|CARGO_.*|GO(?:FLAGS|ROOT|PATH|ENV|WORK|TOOLCHAIN|PROXY|AUTH|CACHEPROG|VCS|SUMDB|NOSUMDB|NOSUMCHECK|INSECURE)',
    'CC|CXX|CPP|LD|AR|AS|NM|FC|OBJC|(?:C|CXX|CPP|LD|GNUMAKE|MAKE|CGO_.*)FLAGS|MAKEFILES|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|LIBRARY_PATH',
    'COMPILER_PATH|GCC_EXEC_PREFIX|CCACHE_(?:PREFIX.*|COMPILER|CONFIGPATH)|PKG_CONFIG.*|CMAKE_.*|CONFIG_SITE|CONFIG_SHELL|PROTOC|NIX_.*',
    // Programs that run others.
    'GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|EXEC_PATH|EXTERNAL_DIFF|CONFIG|CONFIG_.*|PROXY_COMMAND|TEMPLATE_DIR|TRACE.*|ALLOW_PROTOCOL)',
    'GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|ATTR_SOURCE)|SVN_SSH|CVS_SERVER',
    '(?:.*_|MAN)?PAGER|(?:.*_|HG|CVS)?EDITOR|.*(?:ASKPASS|_RSH|PASSCOMMAND|PASSWORD_COMMAND|SSH_?(?:OPTS|ARGS|COMMAND))|VISUAL|BROWSER|GH_BROWSER|FCEDIT|KUBECTL_EXTERNAL_DIFF',
    'TAR_OPTIONS|ZIPOPT|UNZIP|ZIPINFO|RSYNC_CONNECT_PROG|LESS|LESS(?:_.*|OPEN|CLOSE|KEY.*|EDIT|HISTFILE)|SYSTEMD_LESS|MAN(?:OPT|PATH|LESS|ROFF.*)',
    'VIMINIT|EXINIT|GVIMINIT|MYVIMRC|VIM|VIMRUNTIME|RIPGREP_CONFIG_PATH|BAT_CONFIG_PATH|WGETRC|CURL_HOME|PSQLRC|REDISCLI_RCFILE|MAILCAPS',
    'ANSIBLE_.*|TF_(?:CLI_.*|PLUGIN_CACHE_DIR|DATA_DIR|REATTACH_PROVIDERS)|TERRAGRUNT_.*|PACKER_(?:CONFIG.*|PLUGIN_PATH)|VAGRANT_(?:CWD|HOME|VAGRANTFILE)',
    'AWS_(?:CONFIG_FILE|SHARED_CREDENTIALS_FILE)|KUBECONFIG|HELM_(?:PLUGINS|.*_HOME)|DOCKER_CONFIG|GH_CONFIG_DIR|CLOUDSDK_(?:PYTHON.*|CONFIG|ROOT_DIR)',
    'GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES|AZURE_EXTENSION_DIR|RCLONE_(?:.*_)?SSH|RCLONE_METADATA_MAPPER|AIRFLOW__.*_CMD|SOPS_AGE_KEY_CMD',
    'GNUPGHOME|PASSWORD_STORE_(?:DIR|EXTENSIONS_DIR|ENABLE_EXTENSIONS|GPG_OPTS)|HOMEBREW_.*(?:_PATH|_REMOTE|_DOMAIN|BROWSER)',
  ],
  'i',
);

/**
 * By these, programs send requests and credentials to other servers, or trust them: Coffer's own variables, proxies, certificates, names of hosts.
 * Not what is about one service (`DATABASE_URL`, `VAULT_ADDR`, `DOCKER_HOST`): it is kept beside the credentials for that service, on purpose.
 */
const CONNECTIONS = named(
  [
    'COFFER_.*|INFISICAL_.*',
    '(?:ALL|CGI_HTTP|FTP|GRPC|HTTPS?|NO|NO_GRPC|RSYNC|SOCKS[45]?|WSS?)_PROXY|SOCKS_SERVER|GLOBAL_AGENT_.*',
    'NODE_(?:EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|USE_ENV_PROXY|USE_SYSTEM_CA)|DENO_(?:CERT|TLS_CA_STORE)|HEX_(?:CACERTS_PATH|UNSAFE_HTTPS)',
    'SSL_CERT_(?:FILE|DIR)|SSLKEYLOGFILE|SYSTEM_CERTIFICATE_PATH|HTTPS_CA_(?:FILE|DIR)|GIT_SSL_.*|(?:AWS|CURL|REQUESTS)_CA_BUNDLE',
    'PYTHONHTTPSVERIFY|GRPC_DEFAULT_SSL_ROOTS_FILE_PATH|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS|RESOLV_HOST_CONF',
    'BUNDLE_SSL_(?:CA_CERT|VERIFY_MODE)|COMPOSER_CAFILE',
  ],
  'i',
);

/** Variables whose values shells evaluate, and the values in which there is nothing to be evaluated. */
const EVALUATED: readonly (readonly [name: RegExp, harmless: RegExp])[] = [
  // Arithmetic, in which `a[$(…)]` runs a command.
  [
    named([
      'HISTCMD|OPTIND|OPTERR|S?RANDOM|SECONDS|EPOCH(?:SECONDS|REALTIME)|LINENO|SHLVL|COLUMNS|LINES|HISTSIZE|HISTFILESIZE|SAVEHIST',
      'MAILCHECK|LOGCHECK|TMOUT|E?[UG]ID|PPID|PGRP|BASHPID|USER_ID|KSHE?[UG]ID|FUNCNEST|ERRNO|LISTMAX|KEYTIMEOUT|DIRSTACKSIZE|TTYIDLE|BAUD',
      'TRY_BLOCK_(?:ERROR|INTERRUPT)',
    ]),
    /^\d*$/,
  ],
  // Texts in which they expand `$(…)`.
  [named(['PS\\d|RPS\\d|R?PROMPT\\d?|SPROMPT|prompt|MAILPATH']), /^[^$`\\]*$/],
  // The file that an interactive shell runs first: a word names none elsewhere.
  [named(['ENV']), /^[\w.-]*$/],
];

const isReserved = (name: string): boolean => RESERVED.some((one) => one.test(name));

/** What a secret would do as a variable, unless it is harmless. */
function harmOf({ secretKey, secretValue }: Variable): string | undefined {
  const isEvaluated = EVALUATED.some(([name, harmless]) => name.test(secretKey) && !harmless.test(secretValue));
  if (LOADERS.test(secretKey) || isEvaluated) return 'it can make programs and shells run code';
  return CONNECTIONS.test(secretKey) ? 'it can make programs send credentials to another server' : undefined;
}

/** Flags of commands whose result becomes the environment of a program. */
export const loaderFlags = {
  'loader-variables': toggle(
    false,
    'also set secrets that make programs run code or use other servers, such as NODE_OPTIONS and HTTPS_PROXY',
    {
      byCaller: true,
    },
  ),
} as const satisfies Flags;

export interface LoaderChoice {
  readonly keepsLoaders: boolean;
  /** What to do to keep them, for the message. */
  readonly toKeep?: string;
}

/** Leaves out what programs and shells need as it is, and what makes them run code or use other servers, and says so. */
export const settable = <One extends Variable>(
  all: readonly One[],
  { keepsLoaders, toKeep = 'To set it all the same: --loader-variables' }: LoaderChoice,
  io: Pick<Io, 'say'>,
): One[] =>
  all.filter((one) => {
    const harm = keepsLoaders ? undefined : harmOf(one);
    const reason = isReserved(one.secretKey)
      ? 'programs and shells need this variable as it is. Rename the secret, or read it as JSON or YAML'
      : harm && `${harm}. ${toKeep}`;
    if (reason) io.say('warn', `${one.secretKey} is left out: ${reason}`);
    return !reason;
  });

/** An ID, or the name of a folder: also what a shell cannot assign to, but does not run. @throws as `variableOf`. */
export const labelOf = (name: string): string => (/^\w[\w.-]*$/.test(name) ? name : variableOf(name));

/** @throws CommandError for a name that a shell could not assign to, or would run. */
export function variableOf(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name;
  throw failure(`${name} is no name of a variable`, 'Rename it, or use the form json or yaml');
}
