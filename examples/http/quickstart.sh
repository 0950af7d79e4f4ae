#!/usr/bin/env bash
# The HTTP API with nothing but curl: from an empty Coffer to a hundred secrets.
#
#   COFFER_URL=http://127.0.0.1:8080 examples/http/quickstart.sh
#
# It makes the first administrator, which can be done once. On a Coffer that has one, give it the token of a machine
# identity that may create identities, and the organization: COFFER_ADMIN_TOKEN, COFFER_ORGANIZATION_ID.
# Needs bash, curl, and Node for reading JSON.
set -euo pipefail

url=${COFFER_URL:-http://127.0.0.1:8080}
email=${COFFER_EMAIL:-admin@example.com}
password=${COFFER_PASSWORD:-$(node -p 'crypto.randomBytes(15).toString("base64url")')}
token=''

# call METHOD PATH [JSON]: answers the body. Tokens and bodies reach curl through pipes: arguments can be seen in `ps`.
call() {
  local method=$1 path=$2 body=${3:-} answer
  answer=$(
    curl --silent --show-error --fail-with-body --request "$method" "$url$path" \
      --config <(if [[ $token ]]; then printf 'header = "authorization: Bearer %s"\n' "$token"; fi) \
      ${body:+--header 'content-type: application/json' --data-binary @<(printf '%s' "$body")}
  ) || { printf '%s %s: %s\n' "$method" "$path" "$answer" >&2; return 1; }
  printf '%s' "$answer"
}

# field PATH: a field of the JSON on its input, such as `identity.id` or `secrets.length`.
field() {
  node -e 'let value = JSON.parse(require("fs").readFileSync(0)); for (const key of process.argv[1].split(".")) value = value[key]; console.log(value)' "$1"
}

step() { printf '\n%s\n' "$*" >&2; }

step '1. Is it there?'
call GET /api/status | field message

if [[ ${COFFER_ADMIN_TOKEN:-} ]]; then
  token=$COFFER_ADMIN_TOKEN
  organization=$COFFER_ORGANIZATION_ID
else
  step '2. The first administrator, the organization, and a machine identity that administers both'
  answer=$(call POST /api/v1/admin/bootstrap "{\"email\": \"$email\", \"password\": \"$password\", \"organization\": \"Acme\"}")
  token=$(field identity.credentials.token <<<"$answer")
  organization=$(field organization.id <<<"$answer")
  echo "$email signs in with the password $password"
fi

step '3. A machine identity for an application, which logs in with a client id and a client secret'
answer=$(call POST /api/v1/identities "{\"name\": \"quickstart\", \"organizationId\": \"$organization\", \"role\": \"member\"}")
identity=$(field identity.id <<<"$answer")
answer=$(call POST "/api/v1/auth/universal-auth/identities/$identity" '{"accessTokenTTL": 3600}')
client_id=$(field identityUniversalAuth.clientId <<<"$answer")
answer=$(call POST "/api/v1/auth/universal-auth/identities/$identity/client-secrets" '{"description": "quickstart"}')
client_secret=$(field clientSecret <<<"$answer")
echo "identity $identity"

step '4. It logs in, and is that identity from here on'
answer=$(token='' call POST /api/v1/auth/universal-auth/login "{\"clientId\": \"$client_id\", \"clientSecret\": \"$client_secret\"}")
token=$(field accessToken <<<"$answer")
echo "a token for $(field expiresIn <<<"$answer") seconds"

step '5. A project, which it administers because it made it'
answer=$(call POST /api/v1/projects '{"projectName": "Quickstart"}')
project=$(field project.id <<<"$answer")
echo "project $project with the environments dev, staging and prod"

step '6. A hundred secrets in one call: all of them or none'
secrets=$(node -p 'JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ secretKey: `KEY_${i + 1}`, secretValue: `value ${i + 1}` })))')
answer=$(call POST /api/v4/secrets/batch "{\"projectId\": \"$project\", \"environment\": \"dev\", \"secretPath\": \"/\", \"secrets\": $secrets}")
echo "$(field secrets.length <<<"$answer") secrets"

place="projectId=$project&environment=dev&secretPath=/"

step '7. One of them'
call GET "/api/v4/secrets/KEY_42?$place" | field secret.secretValue

step '8. It changes, and its older version can still be read'
body="{\"projectId\": \"$project\", \"environment\": \"dev\", \"secretPath\": \"/\""
answer=$(call PATCH /api/v4/secrets/KEY_42 "$body, \"secretValue\": \"another value\"}")
id=$(field secret.id <<<"$answer")
echo "version $(field secret.version <<<"$answer"): $(field secret.secretValue <<<"$answer")"
echo "version 1: $(call GET "/api/v4/secrets/KEY_42?$place&version=1" | field secret.secretValue)"
echo "$(call GET "/api/v1/secret/$id/secret-versions?offset=0&limit=10" | field secretVersions.length) versions"

step '9. One goes, the others stay'
call DELETE /api/v4/secrets/KEY_100 "$body}" >/dev/null
echo "$(call GET "/api/v4/secrets?$place" | field secrets.length) secrets"

step 'The other examples can go on from here, with these:'
cat <<END
export COFFER_URL=$url
export COFFER_CLIENT_ID=$client_id
export COFFER_CLIENT_SECRET=$client_secret
export COFFER_PROJECT_ID=$project
export COFFER_TOKEN=$token
END
