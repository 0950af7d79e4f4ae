/** Texts in which a rule finds something, and similar ones in which it does not. */
interface Samples {
  readonly finds: readonly string[];
  readonly passes: readonly string[];
}

/**
 * Samples of each rule that looks at text. No secret is in them, so that no scanner finds one in this repository: `{hex:32}` stands for
 * 32 random characters of a class, and what a rule should call the secret is in guillemets.
 */
export const SAMPLES: Readonly<Record<string, Samples>> = {
  'aws-access-token': {
    finds: [
      'token = "«AKIA{b32:16}»"',
      'token = "«ASIA{b32:16}»"',
      'token = "«ABIA{b32:16}»"',
      'token = "«ACCA{b32:16}»"',
    ],
    passes: ['token = "AKIA{b32:15}"', 'token = "AKIA{x:16}"'],
  },
  'aws-secret-access-key': {
    finds: ['aws_secret_access_key = «{b64:40}»', '"SecretAccessKey": "«{b64:40}»"'],
    passes: ['aws_secret_access_key = {b64:39}', 'aws_region = {alnum:40}', 'aws_secret_access_key = {x:40}'],
  },
  'aws-session-token': { finds: ['aws_session_token=«{b64:300}»'], passes: ['aws_session_token={b64:100}'] },
  'aws-bedrock-api-key': { finds: ['key = "«ABSK{b64:128}»"'], passes: ['key = "ABSK{b64:60}"'] },
  'alibaba-access-key-id': {
    finds: ['token = "«LTAI{alnum:20}»"'],
    passes: ['token = "LTAI{alnum:6}"', 'token = "LTAI{x:20}"'],
  },
  'alibaba-secret-key': {
    finds: ['ALIBABA_API_KEY=«{alnum:30}»', '"alibaba_token": "«{alnum:30}»",'],
    passes: ['ALIBABA_API_KEY={alnum:29}', 'other = {alnum:30}', 'alibaba_token: "${ALIBABA_TOKEN}"'],
  },
  'tencent-secret-id': {
    finds: ['token = "«AKID{alnum:32}»"'],
    passes: ['token = "AKID{alnum:31}"', 'token = "AKID{x:32}"'],
  },
  'azure-storage-account-key': {
    finds: [
      'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=«{b64:86}==»;EndpointSuffix=core.windows.net',
      'Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«{b64:43}=»',
    ],
    passes: ['AccountKey={b64:20}==', 'AccountKey=<your-account-key>'],
  },
  'azure-ad-client-secret': {
    finds: ['secret: «{alnum:3}{num:1}Q~{alnum:34}»'],
    passes: ['secret: {alnum:3}{num:1}Q~{alnum:20}'],
  },
  'azure-sas-token': {
    finds: ['https://shop.blob.core.windows.net/c?sv=2024-11-04&se=2030-01-01&sig=«{alnum:43}%3D»'],
    passes: ['https://shop.example.com/?sig={alnum:10}'],
  },
  'azure-devops-pat': { finds: ['token = "«{alnum:76}AZDO{alnum:4}»"'], passes: ['token = "{alnum:30}AZDO{alnum:4}"'] },
  'azure-function-key': {
    finds: ['https://shop.azurewebsites.net/api/run?code=«{alnum:44}AzFu{alnum:6}»'],
    passes: ['https://shop.azurewebsites.net/api/run?code={alnum:12}'],
  },
  'gcp-api-key': { finds: ['token = "«AIza{dash:35}»"'], passes: ['key = "AIza{alnum:30}"', 'key = "AIza{x:35}"'] },
  'gcp-oauth-client-secret': {
    finds: ['token = "«GOCSPX-{alnum:28}»"'],
    passes: ['token = "GOCSPX-{alnum:27}"', 'token = "GOCSPX-{x:28}"'],
  },
  'gcp-oauth-access-token': { finds: ['token = "«ya29.{dash:60}»"'], passes: ['token = "ya29.{alnum:20}"'] },
  'gcp-oauth-refresh-token': { finds: ['token = "«1//0{alnum:60}»"'], passes: ['token = "1//0{alnum:20}"'] },
  'gcp-service-account': { finds: ['"private_key_id": "«{hex:40}»",'], passes: ['"private_key_id": "",'] },
  'digitalocean-pat': {
    finds: ['token = "«dop_v1_{hex:64}»"'],
    passes: ['token = "dop_v1_{hex:63}"', 'token = "dop_v1_{x:64}"'],
  },
  'digitalocean-access-token': {
    finds: ['token = "«doo_v1_{hex:64}»"'],
    passes: ['token = "doo_v1_{hex:63}"', 'token = "doo_v1_{x:64}"'],
  },
  'digitalocean-refresh-token': {
    finds: ['token = "«dor_v1_{hex:64}»"'],
    passes: ['token = "dor_v1_{hex:63}"', 'token = "dor_v1_{x:64}"'],
  },
  'heroku-api-key': { finds: ['key = "«HRKU-AA{alnum:58}»"'], passes: ['key = "HRKU-AA{alnum:20}"'] },
  'heroku-legacy-api-key': {
    finds: ['HEROKU_API_KEY=«{uuid}»', '"heroku_token": "«{uuid}»",'],
    passes: ['HEROKU_API_KEY={hex:8}-{hex:4}', 'other = {uuid}', 'heroku_token: "${HEROKU_TOKEN}"'],
  },
  'flyio-access-token': {
    finds: ['FLY_API_TOKEN="«fo1_{alnum:43}»"', 'token: «fm2_{alnum:120}»'],
    passes: ['token = "fo1_{alnum:20}"'],
  },
  'netlify-token': {
    finds: ['token = "«nfp_{alnum:36}»"'],
    passes: ['token = "nfp_{alnum:35}"', 'token = "nfp_{x:36}"'],
  },
  'render-api-key': {
    finds: ['token = "«rnd_{alnum:28}»"'],
    passes: ['token = "rnd_{alnum:27}"', 'token = "rnd_{x:28}"'],
  },
  'vercel-token': {
    finds: ['VERCEL_API_KEY=«{alnum:24}»', '"vercel_token": "«{alnum:24}»",'],
    passes: ['VERCEL_API_KEY={alnum:23}', 'other = {alnum:24}', 'vercel_token: "${VERCEL_TOKEN}"'],
  },
  'linode-token': {
    finds: ['LINODE_API_KEY=«{hex:64}»', '"linode_token": "«{hex:64}»",'],
    passes: ['LINODE_API_KEY={hex:63}', 'other = {hex:64}', 'linode_token: "${LINODE_TOKEN}"'],
  },
  'hetzner-token': {
    finds: ['HCLOUD_API_KEY=«{alnum:64}»', '"hcloud_token": "«{alnum:64}»",'],
    passes: ['HCLOUD_API_KEY={alnum:63}', 'other = {alnum:64}', 'hcloud_token: "${HCLOUD_TOKEN}"'],
  },
  'vultr-api-key': {
    finds: ['VULTR_API_KEY=«{UPPER:36}»', '"vultr_token": "«{UPPER:36}»",'],
    passes: ['VULTR_API_KEY={UPPER:35}', 'other = {UPPER:36}', 'vultr_token: "${VULTR_TOKEN}"'],
  },
  'cloudflare-api-token': {
    finds: ['CLOUDFLARE_API_KEY=«{dash:40}»', '"cloudflare_token": "«{dash:40}»",'],
    passes: ['CLOUDFLARE_API_KEY={dash:39}', 'other = {dash:40}', 'cloudflare_token: "${CLOUDFLARE_TOKEN}"'],
  },
  'cloudflare-global-key': {
    finds: ['CLOUDFLARE_API_KEY=«{hex:37}»', '"cloudflare_token": "«{hex:37}»",'],
    passes: ['CLOUDFLARE_API_KEY={hex:36}', 'other = {hex:37}', 'cloudflare_token: "${CLOUDFLARE_TOKEN}"'],
  },
  'cloudflare-origin-ca-key': {
    finds: ['token = "«v1.0-{hex:24}-{hex:146}»"'],
    passes: ['token = "v1.0-{hex:24}-{hex:145}"', 'token = "v1.0-{x:24}-{x:146}"'],
  },
  'fastly-api-token': {
    finds: ['FASTLY_API_KEY=«{dash:32}»', '"fastly_token": "«{dash:32}»",'],
    passes: ['FASTLY_API_KEY={dash:31}', 'other = {dash:32}', 'fastly_token: "${FASTLY_TOKEN}"'],
  },
  'scalingo-token': { finds: ['token = "«tk-us-{alnum:48}»"'], passes: ['token = "tk-us-{alnum:20}"'] },
  'yandex-api-key': { finds: ['key = "«AQVN{alnum:36}»"'], passes: ['key = "AQVN{alnum:10}"'] },
  'yandex-access-token': { finds: ['token = "«t1.{alnum:60}.{alnum:86}»"'], passes: ['token = "t1.{alnum:60}"'] },
  'tailscale-key': {
    finds: ['token = "«tskey-auth-{alnum:12}-{alnum:20}»"'],
    passes: ['token = "tskey-auth-{alnum:4}"'],
  },
  'github-personal-access-token': {
    finds: ['token = "«ghp_{alnum:36}»"'],
    passes: ['token = "ghp_{alnum:35}"', 'token = "ghp_{x:36}"'],
  },
  'github-oauth-token': {
    finds: ['token = "«gho_{alnum:36}»"'],
    passes: ['token = "gho_{alnum:35}"', 'token = "gho_{x:36}"'],
  },
  'github-user-to-server-token': {
    finds: ['token = "«ghu_{alnum:36}»"'],
    passes: ['token = "ghu_{alnum:35}"', 'token = "ghu_{x:36}"'],
  },
  'github-refresh-token': {
    finds: ['token = "«ghr_{alnum:36}»"'],
    passes: ['token = "ghr_{alnum:35}"', 'token = "ghr_{x:36}"'],
  },
  'github-app-token': {
    finds: ['token = "«ghs_{alnum:36}»"'],
    passes: ['token = "ghs_{alnum:35}"', 'token = "ghs_{x:36}"'],
  },
  'github-fine-grained-pat': {
    finds: ['token = "«github_pat_{alnum:22}_{alnum:59}»"'],
    passes: ['token = "github_pat_{alnum:22}_{alnum:58}"', 'token = "github_pat_{x:22}_{x:59}"'],
  },
  'gitlab-pat': {
    finds: ['token = "«glpat-{alnum:20}»"'],
    passes: ['token = "glpat-{alnum:10}"', 'token = "glpat-{x:20}"'],
  },
  'gitlab-deploy-token': {
    finds: ['token = "«gldt-{alnum:20}»"'],
    passes: ['token = "gldt-{alnum:10}"', 'token = "gldt-{x:20}"'],
  },
  'gitlab-runner-token': {
    finds: ['token = "«glrt-{alnum:20}»"'],
    passes: ['token = "glrt-{alnum:10}"', 'token = "glrt-{x:20}"'],
  },
  'gitlab-feed-token': {
    finds: ['token = "«glft-{alnum:20}»"'],
    passes: ['token = "glft-{alnum:10}"', 'token = "glft-{x:20}"'],
  },
  'gitlab-incoming-mail-token': {
    finds: ['token = "«glimt-{alnum:25}»"'],
    passes: ['token = "glimt-{alnum:12}"', 'token = "glimt-{x:25}"'],
  },
  'gitlab-agent-token': {
    finds: ['token = "«glagent-{alnum:50}»"'],
    passes: ['token = "glagent-{alnum:25}"', 'token = "glagent-{x:50}"'],
  },
  'gitlab-oauth-app-secret': {
    finds: ['token = "«gloas-{alnum:64}»"'],
    passes: ['token = "gloas-{alnum:32}"', 'token = "gloas-{x:64}"'],
  },
  'gitlab-scim-token': {
    finds: ['token = "«glsoat-{alnum:20}»"'],
    passes: ['token = "glsoat-{alnum:10}"', 'token = "glsoat-{x:20}"'],
  },
  'gitlab-feature-flag-client-token': {
    finds: ['token = "«glffct-{alnum:20}»"'],
    passes: ['token = "glffct-{alnum:10}"', 'token = "glffct-{x:20}"'],
  },
  'gitlab-pipeline-trigger-token': {
    finds: ['token = "«glptt-{hex:40}»"'],
    passes: ['token = "glptt-{hex:39}"', 'token = "glptt-{x:40}"'],
  },
  'gitlab-ci-job-token': {
    finds: ['token = "«glcbt-{alnum:3}_{alnum:20}»"'],
    passes: ['token = "glcbt-64_{alnum:5}"'],
  },
  'gitlab-session-cookie': { finds: ['token = "«_gitlab_session={hex:32}»"'], passes: ['_gitlab_session={hex:10}'] },
  'bitbucket-app-password': {
    finds: ['token = "«ATBB{alnum:32}»"'],
    passes: ['token = "ATBB{alnum:31}"', 'token = "ATBB{x:32}"'],
  },
  'bitbucket-client-secret': {
    finds: ['BITBUCKET_API_KEY=«{dash:64}»', '"bitbucket_token": "«{dash:64}»",'],
    passes: ['BITBUCKET_API_KEY={dash:63}', 'other = {dash:64}', 'bitbucket_token: "${BITBUCKET_TOKEN}"'],
  },
  'gitea-access-token': {
    finds: ['GITEA_API_KEY=«{hex:40}»', '"gitea_token": "«{hex:40}»",'],
    passes: ['GITEA_API_KEY={hex:39}', 'other = {hex:40}', 'gitea_token: "${GITEA_TOKEN}"'],
  },
  'sourcegraph-access-token': {
    finds: ['token = "«sgp_{hex:16}_{hex:40}»"'],
    passes: ['token = "sgp_{hex:16}_{hex:39}"', 'token = "sgp_{x:16}_{x:40}"'],
  },
  'npm-access-token': {
    finds: ['token = "«npm_{alnum:36}»"'],
    passes: ['token = "npm_{alnum:35}"', 'token = "npm_{x:36}"'],
  },
  'npmrc-auth-token': {
    finds: ['//registry.example.com/:_authToken=«{alnum:40}»'],
    passes: ['//registry.example.com/:_authToken=${NPM_TOKEN}', '//registry.example.com/:_authToken={x:30}'],
  },
  'pypi-upload-token': {
    finds: ['password = "«pypi-AgEIcHlwaS5vcmc{alnum:120}»"'],
    passes: ['password = "pypi-AgEIcHlwaS5vcmc{alnum:10}"'],
  },
  'rubygems-api-token': {
    finds: ['token = "«rubygems_{hex:48}»"'],
    passes: ['token = "rubygems_{hex:47}"', 'token = "rubygems_{x:48}"'],
  },
  'nuget-api-key': { finds: ['token = "«oy2{lower:43}»"'], passes: ['token = "oy2{lower:42}"', 'token = "oy2{x:43}"'] },
  'crates-io-token': {
    finds: ['token = "«cio{alnum:32}»"'],
    passes: ['token = "cio{alnum:31}"', 'token = "cio{x:32}"'],
  },
  'clojars-api-token': {
    finds: ['token = "«CLOJARS_{lower:60}»"'],
    passes: ['token = "CLOJARS_{lower:59}"', 'token = "CLOJARS_{x:60}"'],
  },
  'docker-hub-pat': { finds: ['password: "«dckr_pat_{alnum:27}»"'], passes: ['password: "dckr_pat_{alnum:10}"'] },
  'docker-hub-oat': { finds: ['token = "«dckr_oat_{alnum:32}»"'], passes: ['token = "dckr_oat_{alnum:10}"'] },
  'docker-config-auth': {
    finds: ['"auths": {"registry.example.com": {"auth": "«{b64:40}»"}}'],
    passes: ['"auth": "none"'],
  },
  'jfrog-api-key': {
    finds: ['token = "«AKCp{alnum:69}»"'],
    passes: ['token = "AKCp{alnum:68}"', 'token = "AKCp{x:69}"'],
  },
  'jfrog-reference-token': {
    finds: ['token = "«cmVmdGtu{alnum:56}»"'],
    passes: ['token = "cmVmdGtu{alnum:55}"', 'token = "cmVmdGtu{x:56}"'],
  },
  'buildkite-token': {
    finds: ['token = "«bkua_{hex:40}»"', 'token = "«bkaj_{alnum:40}»"'],
    passes: ['token = "bkua_{hex:39}"', 'token = "bkua_{x:40}"'],
  },
  'circleci-pat': {
    finds: ['token = "«CCIPAT_{alnum:22}_{hex:40}»"'],
    passes: ['token = "CCIPAT_{alnum:22}_{hex:39}"', 'token = "CCIPAT_{x:22}_{x:40}"'],
  },
  'travisci-token': {
    finds: ['TRAVIS_API_KEY=«{alnum:22}»', '"travis_token": "«{alnum:22}»",'],
    passes: ['TRAVIS_API_KEY={alnum:21}', 'other = {alnum:22}', 'travis_token: "${TRAVIS_TOKEN}"'],
  },
  'codecov-token': {
    finds: ['CODECOV_API_KEY=«{uuid}»', '"codecov_token": "«{uuid}»",'],
    passes: ['CODECOV_API_KEY={hex:8}-{hex:4}', 'other = {uuid}', 'codecov_token: "${CODECOV_TOKEN}"'],
  },
  'drone-token': {
    finds: ['DRONE_API_KEY=«{alnum:32}»', '"drone_token": "«{alnum:32}»",'],
    passes: ['DRONE_API_KEY={alnum:31}', 'other = {alnum:32}', 'drone_token: "${DRONE_TOKEN}"'],
  },
  'sonar-token': { finds: ['token = "«squ_{hex:40}»"'], passes: ['token = "squ_{hex:39}"', 'token = "squ_{x:40}"'] },
  'snyk-token': {
    finds: ['SNYK_API_KEY=«{uuid}»', '"snyk_token": "«{uuid}»",'],
    passes: ['SNYK_API_KEY={hex:8}-{hex:4}', 'other = {uuid}', 'snyk_token: "${SNYK_TOKEN}"'],
  },
  'pulumi-access-token': {
    finds: ['token = "«pul-{hex:40}»"'],
    passes: ['token = "pul-{hex:39}"', 'token = "pul-{x:40}"'],
  },
  'prefect-api-token': {
    finds: ['token = "«pnu_{alnum:36}»"'],
    passes: ['token = "pnu_{alnum:35}"', 'token = "pnu_{x:36}"'],
  },
  'terraform-cloud-token': {
    finds: ['token = "«{alnum:14}.atlasv1.{alnum:64}»"'],
    passes: ['token = "{alnum:14}.atlasv1.{alnum:12}"'],
  },
  'artifactory-identity-token': {
    finds: ['token = "«eyJ2ZXIiOiIyIi{alnum:80}.{alnum:80}.{alnum:80}»"'],
    passes: ['token = "eyJ2ZXIiOiIyIi{alnum:20}"'],
  },
  'vault-service-token': { finds: ['VAULT_TOKEN="«hvs.{alnum:95}»"'], passes: ['VAULT_TOKEN="hvs.{alnum:20}"'] },
  'vault-batch-token': { finds: ['VAULT_TOKEN="«hvb.{alnum:140}»"'], passes: ['VAULT_TOKEN="hvb.{alnum:20}"'] },
  'vault-legacy-token': { finds: ['VAULT_TOKEN=«s.{alnum:24}»'], passes: ['VAULT_TOKEN=s.{alnum:10}'] },
  'doppler-personal-token': {
    finds: ['token = "«dp.pt.{alnum:43}»"'],
    passes: ['token = "dp.pt.{alnum:12}"', 'token = "dp.pt.{x:43}"'],
  },
  'doppler-service-token': {
    finds: ['token = "«dp.st.{alnum:40}»"'],
    passes: ['token = "dp.st.{alnum:12}"', 'token = "dp.st.{x:40}"'],
  },
  'doppler-cli-token': {
    finds: ['token = "«dp.ct.{alnum:40}»"'],
    passes: ['token = "dp.ct.{alnum:12}"', 'token = "dp.ct.{x:40}"'],
  },
  'doppler-service-account-token': {
    finds: ['token = "«dp.sa.{alnum:40}»"'],
    passes: ['token = "dp.sa.{alnum:12}"', 'token = "dp.sa.{x:40}"'],
  },
  'doppler-audit-token': {
    finds: ['token = "«dp.audit.{alnum:40}»"'],
    passes: ['token = "dp.audit.{alnum:12}"', 'token = "dp.audit.{x:40}"'],
  },
  'doppler-scim-token': {
    finds: ['token = "«dp.scim.{alnum:40}»"'],
    passes: ['token = "dp.scim.{alnum:12}"', 'token = "dp.scim.{x:40}"'],
  },
  'infisical-service-token': {
    finds: ['token = "«st.{hex:24}.{hex:32}.{hex:32}»"'],
    passes: ['token = "st.{hex:24}.{hex:31}.{hex:31}"', 'token = "st.{x:24}.{x:32}.{x:32}"'],
  },
  'coffer-token': { finds: ['COFFER_TOKEN=«cfi_{alnum:50}»'], passes: ['COFFER_TOKEN=cfi_{alnum:20}'] },
  'onepassword-service-account-token': {
    finds: ['token = "«ops_eyJ{alnum:250}»"'],
    passes: ['token = "ops_eyJ{alnum:40}"'],
  },
  'onepassword-secret-key': {
    finds: ['token = "«A3-{UPPER:6}-{UPPER:6}-{UPPER:5}-{UPPER:5}-{UPPER:5}-{UPPER:5}»"'],
    passes: ['token = "A3-{UPPER:6}-{UPPER:6}-{UPPER:5}"'],
  },
  'age-secret-key': {
    finds: ['# «AGE-SECRET-KEY-1{bech32:58}»'],
    passes: ['# AGE-SECRET-KEY-1{bech32:20}', '# AGE-SECRET-KEY-1{x:58}'],
  },
  'slack-bot-token': {
    finds: ['token = "«xoxb-{num:12}-{num:12}-{alnum:24}»"'],
    passes: ['token = "xoxb-{num:3}-{num:3}"'],
  },
  'slack-user-token': {
    finds: ['token = "«xoxp-{num:12}-{num:12}-{num:12}-{hex:32}»"'],
    passes: ['token = "xoxp-{num:5}-{hex:5}"'],
  },
  'slack-app-token': {
    finds: ['token = "«xapp-1-A{UPPER:10}-{num:13}-{hex:64}»"'],
    passes: ['token = "xapp-1-A{UPPER:10}"'],
  },
  'slack-config-token': {
    finds: ['token = "«xoxe.xoxp-1-{alnum:160}»"'],
    passes: ['token = "xoxe.xoxp-1-{alnum:20}"'],
  },
  'slack-legacy-token': {
    finds: ['token = "«xoxs-{num:11}-{num:11}-{num:11}-{hex:10}»"'],
    passes: ['token = "xoxs-{num:5}"'],
  },
  'slack-webhook-url': {
    finds: ['url: «https://hooks.slack.com/services/T{UPPER:10}/B{UPPER:10}/{alnum:24}»'],
    passes: ['url: https://hooks.slack.com/services/'],
  },
  'discord-bot-token': {
    finds: ['token = "«M{alnum:25}.{alnum:6}.{alnum:38}»"'],
    passes: ['token = "M{alnum:25}.{alnum:6}"'],
  },
  'discord-webhook-url': {
    finds: ['«https://discord.com/api/webhooks/{num:18}/{alnum:68}»'],
    passes: ['https://discord.com/api/webhooks/{num:18}'],
  },
  'discord-client-secret': {
    finds: ['DISCORD_API_KEY=«{dash:32}»', '"discord_token": "«{dash:32}»",'],
    passes: ['DISCORD_API_KEY={dash:31}', 'other = {dash:32}', 'discord_token: "${DISCORD_TOKEN}"'],
  },
  'telegram-bot-token': { finds: ['token = "«1{num:9}:AA{alnum:33}»"'], passes: ['token = "{num:10}:AA{alnum:10}"'] },
  'microsoft-teams-webhook': {
    finds: ['«https://shop.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}»'],
    passes: ['https://shop.webhook.office.com/webhookb2/'],
  },
  'mattermost-access-token': {
    finds: ['MATTERMOST_API_KEY=«{lower:26}»', '"mattermost_token": "«{lower:26}»",'],
    passes: ['MATTERMOST_API_KEY={lower:25}', 'other = {lower:26}', 'mattermost_token: "${MATTERMOST_TOKEN}"'],
  },
  'twilio-api-key': { finds: ['token = "«SK{hex:32}»"'], passes: ['token = "SK{hex:31}"', 'token = "SK{x:32}"'] },
  'twilio-auth-token': {
    finds: ['TWILIO_API_KEY=«{hex:32}»', '"twilio_token": "«{hex:32}»",'],
    passes: ['TWILIO_API_KEY={hex:31}', 'other = {hex:32}', 'twilio_token: "${TWILIO_TOKEN}"'],
  },
  'sendgrid-api-token': { finds: ['key = "«SG.{alnum:22}.{alnum:43}»"'], passes: ['key = "SG.{alnum:22}.{alnum:10}"'] },
  'mailgun-private-key': {
    finds: ['token = "«key-{hex:32}»"'],
    passes: ['token = "key-{hex:31}"', 'token = "key-{x:32}"'],
  },
  'mailchimp-api-key': { finds: ['token = "«{hex:32}-us{num:2}»"'], passes: ['key = "{hex:20}-us12"'] },
  'brevo-api-key': {
    finds: ['token = "«xkeysib-{hex:64}-{alnum:16}»"'],
    passes: ['token = "xkeysib-{hex:63}-{alnum:15}"', 'token = "xkeysib-{x:64}-{x:16}"'],
  },
  'postmark-server-token': {
    finds: ['POSTMARK_API_KEY=«{uuid}»', '"postmark_token": "«{uuid}»",'],
    passes: ['POSTMARK_API_KEY={hex:8}-{hex:4}', 'other = {uuid}', 'postmark_token: "${POSTMARK_TOKEN}"'],
  },
  'resend-api-key': {
    finds: ['token = "«re_{alnum:8}_{alnum:24}»"'],
    passes: ['token = "re_{alnum:8}_{alnum:23}"', 'token = "re_{x:8}_{x:24}"'],
  },
  'mailjet-secret': {
    finds: ['MAILJET_API_KEY=«{hex:32}»', '"mailjet_token": "«{hex:32}»",'],
    passes: ['MAILJET_API_KEY={hex:31}', 'other = {hex:32}', 'mailjet_token: "${MAILJET_TOKEN}"'],
  },
  'sparkpost-api-key': {
    finds: ['SPARKPOST_API_KEY=«{hex:40}»', '"sparkpost_token": "«{hex:40}»",'],
    passes: ['SPARKPOST_API_KEY={hex:39}', 'other = {hex:40}', 'sparkpost_token: "${SPARKPOST_TOKEN}"'],
  },
  'onesignal-api-key': { finds: ['token = "«os_v2_app_{lower:103}»"'], passes: ['key = "os_v2_app_{lower:20}"'] },
  'intercom-token': {
    finds: ['INTERCOM_API_KEY=«{alnum:60}»', '"intercom_token": "«{alnum:60}»",'],
    passes: ['INTERCOM_API_KEY={alnum:59}', 'other = {alnum:60}', 'intercom_token: "${INTERCOM_TOKEN}"'],
  },
  'zendesk-token': {
    finds: ['ZENDESK_API_KEY=«{alnum:40}»', '"zendesk_token": "«{alnum:40}»",'],
    passes: ['ZENDESK_API_KEY={alnum:39}', 'other = {alnum:40}', 'zendesk_token: "${ZENDESK_TOKEN}"'],
  },
  'hubspot-private-app-token': {
    finds: ['token = "«pat-na1-{uuid}»"', 'token = "«pat-eu1-{uuid}»"'],
    passes: ['token = "pat-na1-{hex:8}"'],
  },
  'typeform-token': { finds: ['token = "«tfp_{alnum:44}»"'], passes: ['token = "tfp_{alnum:20}"'] },
  'stripe-access-token': {
    finds: [
      'token = "«sk_live_{alnum:24}»"',
      'token = "«rk_live_{alnum:24}»"',
      'token = "«sk_test_{alnum:24}»"',
      'token = "«rk_test_{alnum:24}»"',
    ],
    passes: ['token = "sk_live_{alnum:8}"', 'token = "sk_test_{x:24}"', 'token = "pk_live_{alnum:24}"'],
  },
  'stripe-webhook-secret': {
    finds: ['token = "«whsec_{alnum:32}»"'],
    passes: ['token = "whsec_{alnum:31}"', 'token = "whsec_{x:32}"'],
  },
  'square-access-token': {
    finds: ['token = "«sq0atp-{alnum:22}»"', 'token = "«EAAA{alnum:60}»"'],
    passes: ['token = "sq0atp-{alnum:5}"'],
  },
  'square-oauth-secret': { finds: ['secret = "«sq0csp-{alnum:43}»"'], passes: ['secret = "sq0csp-{alnum:5}"'] },
  'braintree-access-token': {
    finds: ['token = "«access_token$production${lower:16}${hex:32}»"'],
    passes: ['token = "access_token$production${lower:16}"'],
  },
  'plaid-access-token': {
    finds: ['token = "«access-production-{uuid}»"'],
    passes: ['token = "access-production-{hex:8}"'],
  },
  'razorpay-key': {
    finds: ['token = "«rzp_live_{alnum:14}»"'],
    passes: ['token = "rzp_live_{alnum:13}"', 'token = "rzp_live_{x:14}"'],
  },
  'flutterwave-secret-key': {
    finds: ['token = "«FLWSECK_TEST-{hex:32}-X»"'],
    passes: ['key = "FLWSECK_TEST-{hex:3}-X"'],
  },
  'easypost-api-key': {
    finds: ['token = "«EZAK{alnum:54}»"'],
    passes: ['token = "EZAK{alnum:53}"', 'token = "EZAK{x:54}"'],
  },
  'shippo-api-token': {
    finds: ['token = "«shippo_live_{hex:40}»"'],
    passes: ['token = "shippo_live_{hex:39}"', 'token = "shippo_live_{x:40}"'],
  },
  'duffel-api-token': { finds: ['token = "«duffel_live_{alnum:43}»"'], passes: ['token = "duffel_live_{alnum:10}"'] },
  'coinbase-access-token': {
    finds: ['COINBASE_API_KEY=«{dash:64}»', '"coinbase_token": "«{dash:64}»",'],
    passes: ['COINBASE_API_KEY={dash:63}', 'other = {dash:64}', 'coinbase_token: "${COINBASE_TOKEN}"'],
  },
  'lob-api-key': {
    finds: ['LOB_API_KEY=«live_{hex:35}»', '"lob_token": "«live_{hex:35}»",'],
    passes: ['LOB_API_KEY=live_{hex:34}', 'other = live_{hex:35}', 'lob_token: "${LOB_TOKEN}"'],
  },
  'shopify-access-token': {
    finds: ['token = "«shpat_{hexi:32}»"'],
    passes: ['token = "shpat_{hexi:31}"', 'token = "shpat_{x:32}"'],
  },
  'shopify-custom-access-token': {
    finds: ['token = "«shpca_{hexi:32}»"'],
    passes: ['token = "shpca_{hexi:31}"', 'token = "shpca_{x:32}"'],
  },
  'shopify-private-app-access-token': {
    finds: ['token = "«shppa_{hexi:32}»"'],
    passes: ['token = "shppa_{hexi:31}"', 'token = "shppa_{x:32}"'],
  },
  'shopify-shared-secret': {
    finds: ['token = "«shpss_{hexi:32}»"'],
    passes: ['token = "shpss_{hexi:31}"', 'token = "shpss_{x:32}"'],
  },
  'openai-api-key': {
    finds: ['key = "«sk-proj-{alnum:74}T3BlbkFJ{alnum:74}»"', 'key = "«sk-{alnum:20}T3BlbkFJ{alnum:20}»"'],
    passes: ['key = "sk-{alnum:20}T3BlbkFJ{alnum:3}"'],
  },
  'anthropic-api-key': {
    finds: ['key = "«sk-ant-api03-{alnum:93}AA»"'],
    passes: ['key = "sk-ant-api03-{alnum:20}AA"'],
  },
  'anthropic-admin-api-key': {
    finds: ['key = "«sk-ant-admin01-{alnum:93}AA»"'],
    passes: ['key = "sk-ant-admin01-{alnum:20}AA"'],
  },
  'huggingface-access-token': {
    finds: ['token = "«hf_{alpha:34}»"'],
    passes: ['token = "hf_{alpha:33}"', 'token = "hf_{x:34}"'],
  },
  'huggingface-organization-token': {
    finds: ['token = "«api_org_{alpha:34}»"'],
    passes: ['token = "api_org_{alpha:33}"', 'token = "api_org_{x:34}"'],
  },
  'groq-api-key': {
    finds: ['token = "«gsk_{alnum:52}»"'],
    passes: ['token = "gsk_{alnum:51}"', 'token = "gsk_{x:52}"'],
  },
  'perplexity-api-key': {
    finds: ['token = "«pplx-{alnum:48}»"'],
    passes: ['token = "pplx-{alnum:47}"', 'token = "pplx-{x:48}"'],
  },
  'replicate-api-token': {
    finds: ['token = "«r8_{alnum:37}»"'],
    passes: ['token = "r8_{alnum:36}"', 'token = "r8_{x:37}"'],
  },
  'xai-api-key': {
    finds: ['token = "«xai-{alnum:80}»"'],
    passes: ['token = "xai-{alnum:79}"', 'token = "xai-{x:80}"'],
  },
  'langsmith-api-key': {
    finds: ['token = "«lsv2_pt_{hex:32}_{hex:10}»"'],
    passes: ['token = "lsv2_pt_{hex:31}_{hex:9}"', 'token = "lsv2_pt_{x:32}_{x:10}"'],
  },
  'cohere-api-token': {
    finds: ['COHERE_API_KEY=«{alnum:40}»', '"cohere_token": "«{alnum:40}»",'],
    passes: ['COHERE_API_KEY={alnum:39}', 'other = {alnum:40}', 'cohere_token: "${COHERE_TOKEN}"'],
  },
  'mistral-api-key': {
    finds: ['MISTRAL_API_KEY=«{alnum:32}»', '"mistral_token": "«{alnum:32}»",'],
    passes: ['MISTRAL_API_KEY={alnum:31}', 'other = {alnum:32}', 'mistral_token: "${MISTRAL_TOKEN}"'],
  },
  'deepseek-api-key': {
    finds: ['DEEPSEEK_API_KEY=«sk-{hex:32}»', '"deepseek_token": "«sk-{hex:32}»",'],
    passes: ['DEEPSEEK_API_KEY=sk-{hex:31}', 'other = sk-{hex:32}', 'deepseek_token: "${DEEPSEEK_TOKEN}"'],
  },
  'openrouter-api-key': {
    finds: ['token = "«sk-or-v1-{hex:64}»"'],
    passes: ['token = "sk-or-v1-{hex:63}"', 'token = "sk-or-v1-{x:64}"'],
  },
  'datadog-api-key': {
    finds: ['DATADOG_API_KEY=«{hex:32}»', '"datadog_token": "«{hex:40}»",'],
    passes: ['DATADOG_API_KEY={hex:31}', 'other = {hex:32}', 'datadog_token: "${DATADOG_TOKEN}"'],
  },
  'grafana-cloud-token': { finds: ['token = "«glc_{alnum:60}»"'], passes: ['token = "glc_{alnum:10}"'] },
  'grafana-service-account-token': {
    finds: ['token = "«glsa_{alnum:32}_{hexi:8}»"'],
    passes: ['token = "glsa_{alnum:31}_{hexi:7}"', 'token = "glsa_{x:32}_{x:8}"'],
  },
  'grafana-api-key': { finds: ['token = "«eyJrIjoi{alnum:80}»"'], passes: ['key = "eyJrIjoi{alnum:10}"'] },
  'new-relic-user-key': {
    finds: ['token = "«NRAK-{UPPER:27}»"'],
    passes: ['token = "NRAK-{UPPER:26}"', 'token = "NRAK-{x:27}"'],
  },
  'new-relic-browser-key': {
    finds: ['token = "«NRJS-{hex:19}»"'],
    passes: ['token = "NRJS-{hex:18}"', 'token = "NRJS-{x:19}"'],
  },
  'new-relic-insert-key': { finds: ['key = "«NRII-{alnum:32}»"'], passes: ['key = "NRII-{alnum:10}"'] },
  'sentry-user-token': {
    finds: ['token = "«sntryu_{hex:64}»"'],
    passes: ['token = "sntryu_{hex:63}"', 'token = "sntryu_{x:64}"'],
  },
  'sentry-org-token': {
    finds: ['token = "«sntrys_eyJ{alnum:100}_{alnum:43}»"'],
    passes: ['token = "sntrys_eyJ{alnum:20}"'],
  },
  'dynatrace-api-token': {
    finds: ['token = "«dt0c01.{UPPER:24}.{UPPER:64}»"'],
    passes: ['token = "dt0c01.{UPPER:24}.{UPPER:63}"', 'token = "dt0c01.{x:24}.{x:64}"'],
  },
  'honeycomb-ingest-key': { finds: ['key = "«hcaik_{lower:58}»"'], passes: ['key = "hcaik_{lower:10}"'] },
  'pagerduty-api-key': {
    finds: ['PAGERDUTY_API_KEY=«{dash:20}»', '"pagerduty_token": "«{dash:20}»",'],
    passes: ['PAGERDUTY_API_KEY={dash:19}', 'other = {dash:20}', 'pagerduty_token: "${PAGERDUTY_TOKEN}"'],
  },
  'opsgenie-api-key': {
    finds: ['OPSGENIE_API_KEY=«{uuid}»', '"opsgenie_token": "«{uuid}»",'],
    passes: ['OPSGENIE_API_KEY={hex:8}-{hex:4}', 'other = {uuid}', 'opsgenie_token: "${OPSGENIE_TOKEN}"'],
  },
  'launchdarkly-sdk-key': {
    finds: ['LAUNCHDARKLY_API_KEY=«sdk-{uuid}»', '"launchdarkly_token": "«api-{uuid}»",'],
    passes: [
      'LAUNCHDARKLY_API_KEY=sdk-{hex:8}-{hex:4}',
      'other = sdk-{uuid}',
      'launchdarkly_token: "${LAUNCHDARKLY_TOKEN}"',
    ],
  },
  'posthog-personal-api-key': {
    finds: ['token = "«phx_{alnum:43}»"'],
    passes: ['token = "phx_{alnum:42}"', 'token = "phx_{x:43}"'],
  },
  'algolia-api-key': {
    finds: ['ALGOLIA_API_KEY=«{hex:32}»', '"algolia_token": "«{hex:32}»",'],
    passes: ['ALGOLIA_API_KEY={hex:31}', 'other = {hex:32}', 'algolia_token: "${ALGOLIA_TOKEN}"'],
  },
  'sumologic-access-token': {
    finds: ['SUMO_API_KEY=«{alnum:64}»', '"sumo_token": "«{alnum:64}»",'],
    passes: ['SUMO_API_KEY={alnum:63}', 'other = {alnum:64}', 'sumo_token: "${SUMO_TOKEN}"'],
  },
  'splunk-token': {
    finds: ['SPLUNK_API_KEY=«{uuid}»', '"splunk_token": "«{uuid}»",'],
    passes: ['SPLUNK_API_KEY={hex:8}-{hex:4}', 'other = {uuid}', 'splunk_token: "${SPLUNK_TOKEN}"'],
  },
  'elastic-api-key': {
    finds: ['ELASTIC_API_KEY=«{b64:58}==»', '"elastic_token": "«{b64:58}==»",'],
    passes: ['ELASTIC_API_KEY={b64:57}==', 'other = {b64:58}==', 'elastic_token: "${ELASTIC_TOKEN}"'],
  },
  'confluent-secret-key': {
    finds: ['CONFLUENT_API_KEY=«{alnum:64}»', '"confluent_token": "«{alnum:64}»",'],
    passes: ['CONFLUENT_API_KEY={alnum:63}', 'other = {alnum:64}', 'confluent_token: "${CONFLUENT_TOKEN}"'],
  },
  'segment-write-key': {
    finds: ['SEGMENT_API_KEY=«{alnum:32}»', '"segment_token": "«{alnum:32}»",'],
    passes: ['SEGMENT_API_KEY={alnum:31}', 'other = {alnum:32}', 'segment_token: "${SEGMENT_TOKEN}"'],
  },
  'mixpanel-secret': {
    finds: ['MIXPANEL_API_KEY=«{hex:32}»', '"mixpanel_token": "«{hex:32}»",'],
    passes: ['MIXPANEL_API_KEY={hex:31}', 'other = {hex:32}', 'mixpanel_token: "${MIXPANEL_TOKEN}"'],
  },
  'amplitude-secret': {
    finds: ['AMPLITUDE_API_KEY=«{hex:32}»', '"amplitude_token": "«{hex:32}»",'],
    passes: ['AMPLITUDE_API_KEY={hex:31}', 'other = {hex:32}', 'amplitude_token: "${AMPLITUDE_TOKEN}"'],
  },
  'databricks-api-token': {
    finds: ['token = "«dapi{hex:32}»"'],
    passes: ['token = "dapi{hex:31}"', 'token = "dapi{x:32}"'],
  },
  'planetscale-token': { finds: ['token = "«pscale_tkn_{alnum:43}»"'], passes: ['token = "pscale_tkn_{alnum:10}"'] },
  'planetscale-password': {
    finds: ['password = "«pscale_pw_{alnum:43}»"'],
    passes: ['password = "pscale_pw_{alnum:10}"'],
  },
  'supabase-access-token': {
    finds: ['token = "«sbp_{hex:40}»"'],
    passes: ['token = "sbp_{hex:39}"', 'token = "sbp_{x:40}"'],
  },
  'supabase-secret-key': {
    finds: ['token = "«sb_secret_{alnum:22}_{alnum:8}»"'],
    passes: ['token = "sb_secret_{alnum:21}_{alnum:7}"', 'token = "sb_secret_{x:22}_{x:8}"'],
  },
  'neon-api-key': {
    finds: ['token = "«napi_{lower:64}»"'],
    passes: ['token = "napi_{lower:63}"', 'token = "napi_{x:64}"'],
  },
  'airtable-pat': {
    finds: ['token = "«pat{alnum:14}.{hex:64}»"'],
    passes: ['token = "pat{alnum:14}.{hex:63}"', 'token = "pat{x:14}.{x:64}"'],
  },
  'contentful-pat': { finds: ['token = "«CFPAT-{alnum:43}»"'], passes: ['token = "CFPAT-{alnum:10}"'] },
  'atlassian-api-token': { finds: ['token = "«ATATT3{alnum:186}»"'], passes: ['token = "ATATT3{alnum:20}"'] },
  'atlassian-legacy-api-token': {
    finds: ['JIRA_API_KEY=«{alnum:24}»', '"jira_token": "«{alnum:24}»",'],
    passes: ['JIRA_API_KEY={alnum:23}', 'other = {alnum:24}', 'jira_token: "${JIRA_TOKEN}"'],
  },
  'linear-api-key': {
    finds: ['token = "«lin_api_{alnum:40}»"'],
    passes: ['token = "lin_api_{alnum:39}"', 'token = "lin_api_{x:40}"'],
  },
  'linear-client-secret': {
    finds: ['LINEAR_API_KEY=«{hex:32}»', '"linear_token": "«{hex:32}»",'],
    passes: ['LINEAR_API_KEY={hex:31}', 'other = {hex:32}', 'linear_token: "${LINEAR_TOKEN}"'],
  },
  'notion-api-token': { finds: ['token = "«ntn_{num:11}{alnum:35}»"'], passes: ['token = "ntn_{num:11}{alnum:4}"'] },
  'asana-client-secret': {
    finds: ['ASANA_API_KEY=«{hex:32}»', '"asana_token": "«{hex:32}»",'],
    passes: ['ASANA_API_KEY={hex:31}', 'other = {hex:32}', 'asana_token: "${ASANA_TOKEN}"'],
  },
  'figma-pat': { finds: ['token = "«figd_{alnum:40}»"'], passes: ['token = "figd_{alnum:10}"'] },
  'postman-api-token': {
    finds: ['token = "«PMAK-{hex:24}-{hex:34}»"'],
    passes: ['token = "PMAK-{hex:24}-{hex:33}"', 'token = "PMAK-{x:24}-{x:34}"'],
  },
  'readme-api-token': {
    finds: ['token = "«rdme_{lower:70}»"'],
    passes: ['token = "rdme_{lower:69}"', 'token = "rdme_{x:70}"'],
  },
  'frameio-api-token': { finds: ['token = "«fio-u-{alnum:64}»"'], passes: ['token = "fio-u-{alnum:10}"'] },
  'wakatime-api-key': { finds: ['token = "«waka_{uuid}»"'], passes: ['token = "waka_{hex:8}-{hex:4}"'] },
  'trello-token': {
    finds: ['TRELLO_API_KEY=«{hex:32}»', '"trello_token": "«{hex:32}»",'],
    passes: ['TRELLO_API_KEY={hex:31}', 'other = {hex:32}', 'trello_token: "${TRELLO_TOKEN}"'],
  },
  'monday-api-token': {
    finds: ['MONDAY_API_KEY=«{b64:64}»', '"monday_token": "«{b64:64}»",'],
    passes: ['MONDAY_API_KEY={b64:63}', 'other = {b64:64}', 'monday_token: "${MONDAY_TOKEN}"'],
  },
  'dropbox-access-token': { finds: ['token = "«sl.{alnum:140}»"'], passes: ['token = "sl.{alnum:20}"'] },
  'box-client-secret': {
    finds: ['BOX_CLIENT_API_KEY=«{alnum:32}»', '"box_client_token": "«{alnum:32}»",'],
    passes: ['BOX_CLIENT_API_KEY={alnum:31}', 'other = {alnum:32}', 'box_client_token: "${BOX_CLIENT_TOKEN}"'],
  },
  'okta-access-token': {
    finds: ['OKTA_API_KEY=«00{dash:40}»', '"okta_token": "«00{dash:40}»",'],
    passes: ['OKTA_API_KEY=00{dash:39}', 'other = 00{dash:40}', 'okta_token: "${OKTA_TOKEN}"'],
  },
  'auth0-client-secret': {
    finds: ['AUTH0_API_KEY=«{dash:64}»', '"auth0_token": "«{dash:64}»",'],
    passes: ['AUTH0_API_KEY={dash:63}', 'other = {dash:64}', 'auth0_token: "${AUTH0_TOKEN}"'],
  },
  'facebook-page-access-token': { finds: ['token = "«EAAM{alnum:100}»"'], passes: ['token = "EAAM{alnum:20}"'] },
  'facebook-secret': {
    finds: ['FACEBOOK_API_KEY=«{hex:32}»', '"facebook_token": "«{hex:32}»",'],
    passes: ['FACEBOOK_API_KEY={hex:31}', 'other = {hex:32}', 'facebook_token: "${FACEBOOK_TOKEN}"'],
  },
  'twitter-bearer-token': {
    finds: ['token = "«AAAAAAAAAAAAAAAAAAAAA{alnum:85}»"'],
    passes: ['token = "AAAAAAAAAAAAAAAAAAAAA{alnum:20}"'],
  },
  'twitter-api-secret': {
    finds: ['TWITTER_API_KEY=«{alnum:50}»', '"twitter_token": "«{alnum:50}»",'],
    passes: ['TWITTER_API_KEY={alnum:49}', 'other = {alnum:50}', 'twitter_token: "${TWITTER_TOKEN}"'],
  },
  'linkedin-client-secret': {
    finds: ['LINKEDIN_API_KEY=«{alnum:16}»', '"linkedin_token": "«{alnum:16}»",'],
    passes: ['LINKEDIN_API_KEY={alnum:15}', 'other = {alnum:16}', 'linkedin_token: "${LINKEDIN_TOKEN}"'],
  },
  'twitch-api-token': {
    finds: ['TWITCH_API_KEY=«{lower:30}»', '"twitch_token": "«{lower:30}»",'],
    passes: ['TWITCH_API_KEY={lower:29}', 'other = {lower:30}', 'twitch_token: "${TWITCH_TOKEN}"'],
  },
  'spotify-client-secret': {
    finds: ['SPOTIFY_API_KEY=«{hex:32}»', '"spotify_token": "«{hex:32}»",'],
    passes: ['SPOTIFY_API_KEY={hex:31}', 'other = {hex:32}', 'spotify_token: "${SPOTIFY_TOKEN}"'],
  },
  'mapbox-secret-token': { finds: ['token = "«sk.eyJ{alnum:80}.{alnum:22}»"'], passes: ['token = "sk.eyJ{alnum:20}"'] },
  'yelp-api-key': {
    finds: ['YELP_API_KEY=«{dash:128}»', '"yelp_token": "«{dash:128}»",'],
    passes: ['YELP_API_KEY={dash:127}', 'other = {dash:128}', 'yelp_token: "${YELP_TOKEN}"'],
  },
  'steam-api-key': {
    finds: ['STEAM_API_KEY=«{HEX:32}»', '"steam_token": "«{HEX:32}»",'],
    passes: ['STEAM_API_KEY={HEX:31}', 'other = {HEX:32}', 'steam_token: "${STEAM_TOKEN}"'],
  },
  'private-key': {
    finds: [
      '«-----BEGIN {-}PRIVATE KEY-----\n{b64:64}\n{b64:64}\n{b64:40}\n-----END {-}PRIVATE KEY-----»',
      '«-----BEGIN {-}OPENSSH PRIVATE KEY-----\n{b64:70}\n{b64:70}\n-----END {-}OPENSSH PRIVATE KEY-----»',
      '«-----BEGIN {-}RSA PRIVATE KEY-----\n{b64:64}\n{b64:64}\n-----END {-}RSA PRIVATE KEY-----»',
    ],
    passes: [
      '-----BEGIN {-}PUBLIC KEY-----\n{b64:64}\n{b64:64}\n-----END {-}PUBLIC KEY-----',
      '-----BEGIN {-}PRIVATE KEY-----\n...\n-----END {-}PRIVATE KEY-----',
    ],
  },
  'private-key-in-string': {
    finds: ['"key": "«-----BEGIN {-}EC PRIVATE KEY-----\\n{b64:64}\\n{b64:64}\\n-----END» {-}EC PRIVATE KEY-----\\n"'],
    passes: ['"key": "-----BEGIN {-}EC PRIVATE KEY-----\\n-----END {-}EC PRIVATE KEY-----\\n"'],
  },
  'putty-private-key': {
    finds: [
      '«PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: key\nPublic-Lines: 1\n{b64:64}\nPrivate-Lines: 1\n{b64:48}\n»Private-MAC: {hex:64}',
    ],
    passes: ['PuTTY-User-Key-File-3: ssh-ed25519'],
  },
  jwt: {
    finds: ['Authorization: «eyJ{alnum:33}.eyJ{alnum:60}.{alnum:43}»'],
    passes: ['eyJ{alnum:33}.eyJ{alnum:60}', 'eyes.of.everybody'],
  },
  'kubernetes-secret': {
    finds: ['apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ndata:\n  password: «{b64:24}»\n'],
    passes: ['apiVersion: v1\nkind: ConfigMap\ndata:\n  password: {b64:24}\n', 'kind: Secret\ndata:\n  password: ""\n'],
  },
  'url-credentials': {
    finds: [
      'DATABASE_URL=postgres://app:«{alnum:16}»@db.example.com/shop',
      'amqps://user:«{alnum:12}»@broker.internal:5671',
    ],
    passes: [
      'postgres://app:${PASSWORD}@db.example.com/shop',
      'https://example.com/a:b',
      'postgres://app:password@localhost/shop',
    ],
  },
  'curl-auth-user': {
    finds: [
      'curl -u admin:«{alnum:16}» https://api.example.com/',
      'curl --user "admin:«{alnum:16}»" https://api.example.com/',
    ],
    passes: ['curl -u admin:$PASSWORD https://api.example.com/', 'curl -u admin https://api.example.com/'],
  },
  'curl-auth-header': {
    finds: [
      'curl -H "Authorization: Bearer «{alnum:32}»" https://api.example.com/',
      "curl -H 'X-Api-Key: «{alnum:32}»' https://api.example.com/",
    ],
    passes: [
      'curl -H "Authorization: Bearer $TOKEN" https://api.example.com/',
      'curl -H "Accept: application/json" https://api.example.com/',
    ],
  },
  'netrc-password': {
    finds: ['machine api.example.com login me password «{alnum:16}»'],
    passes: ['machine api.example.com login me'],
  },
  'htpasswd-hash': { finds: ['admin:«$2y$10${alnum:53}»'], passes: ['admin:x:1000:1000::/home/admin:/bin/sh'] },
  'generic-api-key': {
    finds: ['api_key = "«{alnum:32}»"', 'SECRET_TOKEN=«{alnum:24}»', '"clientSecret": "«{alnum:40}»"'],
    passes: [
      'token = process.env.TOKEN_OF_THIS',
      'password = "correct-horse-battery"',
      'api_key: $API_KEY',
      'key = "{x:32}"',
      'secret_rotation: Auth0ClientSecretRotation;',
    ],
  },
};
