"""Commands as agents run them all day, some about a project that has engram in it: none of them may be refused."""

from __future__ import annotations

_LINES = r"""
ls
ls -la src tests
pwd && git status --short
git log --oneline -20
git diff HEAD~1 -- README.md
git add -A && git commit -m "fix: null check in parser"
git commit -m "engram hook docs"
git commit -m "docs: what .engram/ holds and why engram hook is silent"
git commit -am 'state: .engram/queue is swept' -m 'engram pending add stays'
git commit --message="notes about .engram/approvals"
git log --grep='.engram/' --oneline
git show HEAD:docs/engram.md
git checkout -b engram-hook
git push -u origin engram-hook
git stash && git pull --rebase && git stash pop
git tag -a v1.2 -m "engram 1.2: the hook"
git clone https://github.com/example/engram.git
git -C ../engram log -3
git grep -n "def hook" -- '*.py'
git rebase -i HEAD~3
git blame engram/app/hook.py
git restore engram/cli/__init__.py
gh pr create --title "engram hook: silence" --body "It writes nothing to .engram/ any more"
gh pr view 12 --json title,body
gh issue list --search "engram hook in:title"
cat docs/engram.md
cat engram/app/hook.py | head -50
head -100 tests/app/test_hook.py
sed -n 1,80p engram/capture/heard.py
sed -i 's/engram hook/engram hooks/' docs/guide.md
grep -rn "engram hook" docs
grep -rn "\.engram" engram tests
grep -E '\.engram/(queue|review)' -r docs
grep -rn --include='*.py' '.engram/' .
rg "\.engram" -g '!docs' -l
rg -n 'engram pending add' hooks
find . -name '*.py' -newer setup.py
find . -name .engram -prune -o -name '*.md' -print
wc -l engram/*/*.py
python -m pytest -q tests/app/test_hook.py
python -m pytest -q -k "engram and hook"
.venv/bin/python -m pytest tests -x -q
python -c "import engram; print(engram.__version__)"
python -c "print('hello')"
python3 scripts/build.py --target engram
engram --version
engram where --json
engram pending list --json
engram pending show 3f2a
engram recall "pnpm or npm" --json
engram recall --neighbours "deploys on Thursdays" --json
engram show prefers-pnpm --json
engram list --scope user --json
engram curate schema
engram curate check /tmp/changeset.json
engram curate apply /tmp/changeset.json
engram curate rejected --json
engram review --list
engram review --list --json | jq '.plans | length'
engram log --json
engram status
engram audit
engram config get
engram hook --help
engram doctor || true
cd /tmp && engram curate check c.json
engram curate check c.json 2>&1 | tee check.txt
uv run engram where
uvx --from engram-curator engram --version
pipx install engram-curator
pip install engram-curator
pip install -e '.[dev]'
uv pip install engram-curator[mcp]
which engram
command -v engram
type engram
npm ci && npm test
npm run build -- --mode=production
pnpm install --frozen-lockfile
yarn workspace web test
npx tsc --noEmit
node --version
node -e 'console.log(process.version)'
node scripts/env.js
cat .env* 2>/dev/null
ls .e*
ls -d .*/
ls .[a-z]*
rm -rf .eslintcache dist
cp .env.example .env
echo "NODE_ENV=test" > .env.test
echo '.engram' >> .gitignore
echo ".engram/" >> .gitignore
printf '%s\n' '.engram/' '*.tmp' >> .gitignore
echo "run engram hook to see"
cargo build --release
cargo test -- --nocapture
go test ./...
go vet ./... && golangci-lint run
make test
make -j4 check docs
docker compose up -d db
docker build -t engram:dev .
docker run --rm -it engram:dev engram --version
docker exec db psql -U app -c 'select 1'
kubectl get pods -n staging
terraform plan -out tf.plan
curl -s https://api.example.com/health | jq .
curl -X POST -d '{"name": "engram"}' http://localhost:8080/items
wget -q https://example.com/x.tar.gz -O /tmp/x.tar.gz
tar xzf /tmp/x.tar.gz -C /tmp
ssh deploy@host 'systemctl status app'
scp build.zip deploy@host:/srv/
tmux ls
tmux new-session -d -s dev 'npm run dev'
tmux new-session -d -s engram -c ~/src/engram
tmux send-keys -t dev 'npm test' Enter
tmux send-keys -t dev 'yes please run it' Enter
tmux capture-pane -p -t dev
screen -ls
script -q build.log make
script -c 'make test' build.log
expect -v
socat TCP-LISTEN:8080,fork TCP:localhost:80
unset NODE_OPTIONS; npm test
unset CLAUDECODE
unset CLAUDECODE; npm test
env -i PATH="$PATH" make test
env -u PYTHONPATH engram --version
env | sort
env FOO=1 python app.py
export PATH="$HOME/.local/bin:$PATH"
export ENGRAM_HOME=/tmp/demo
CLAUDECODE=1 engram where
ENGRAM_HOME=/tmp/demo engram list
PYTHONPATH=. python -m engram --help
FOO=bar BAZ=1 ./run.sh
for f in *.md; do wc -l "$f"; done
while read -r l; do echo "$l"; done < list.txt
if [ -f engram.toml ]; then cat engram.toml; fi
[ -d engram ] && ls engram
test -d ~/.agent-memory && echo there
ls ~/.agent-memory
ls ~/.agent-memory/memories
cat ~/.agent-memory/MEMORY.md
git -C ~/.agent-memory log --oneline -5
cat ~/.claude/projects/x/memory/*.md
ls ~/.claude/projects/*/memory
diff <(sort a) <(sort b)
xargs -a files.txt rm
ps aux | grep engram
kill %1
sleep 5 && echo done
date -u +%FT%TZ
du -sh .git
chmod +x bin/engram
ln -s ../engram/bin/engram ~/.local/bin/engram
mkdir -p build/engram && cd build/engram
awk '{print $1}' x.txt
perl -pe 's/engram/Engram/' README.md
ruby -e 'puts 1'
jq '.hooks.Stop[0].hooks[0].command' hooks/hooks.json
cat hooks/hooks.json
code engram/app/hook.py
less docs/cli.md
bash scripts/test.sh engram
bash -c 'cd engram && ls'
sh -c "pytest -q"
time make bench
nohup npm run dev > dev.log 2>&1 &
timeout 60 pytest -q tests/engram
watch -n1 'git status --short'
sudo apt-get install -y tmux expect
apt-cache policy expect
brew install expect
pip show pexpect
python -c "import pexpect; print(pexpect.__version__)"
python -c "import pty; print(pty.__doc__)"
Get-ChildItem -Recurse engram
Select-String -Pattern '\.engram' -Path docs\*.md
Remove-Item Env:NODE_ENV; npm test
$env:FOO='1'; npm test
dir engram
type docs\engram.md
set FOO=1 && npm test
engram recall "how do we deploy" | head -40
engram recall "x" --json | jq '.notes[].name'
engram why deploys-on-thursday
engram blame prefers-pnpm
engram adapt --target codex --dry-run
engram adapt --all --dry-run --json
engram adapt --target portable
engram adapt --help
engram curate apply /tmp/c.json --auto-threshold 0.9
engram curate apply - < /tmp/c.json
cat /tmp/c.json | engram curate apply -
engram journal add "did x"
engram review --list --json > /tmp/plans.json
ENGRAM_HOME=/tmp/demo engram curate apply c.json
ENGRAM_HOME=/tmp/demo .venv/bin/python -m engram status
ENGRAM_HOME=$(mktemp -d) .venv/bin/python -m engram init --dir /tmp/s
.venv/bin/python -m engram --help | head
.venv/bin/python -P -m engram recall "x"
python -m engram curate schema | jq .
uv run python -m engram list
uv run pytest -q tests/app/test_hook.py -k "engram hook"
.venv/bin/python -m pytest -q tests/app/test_hook.py::test_engram_hook
.venv/bin/python -m pytest tests -k 'hook and not pending' -q 2>&1 | tail -20
.venv/bin/python -m mypy engram/app/hook.py
.venv/bin/ruff check engram/app/hook.py engram/capture
.venv/bin/python -m pytest -q -k "engram hook"
.venv/bin/python -c "from engram.app import hook; print(hook.DEADLINE)"
.venv/bin/python -c "import engram.capture.heard as h; print(h.RESTING)"
.venv/bin/python -c "from engram.curate import approvals; help(approvals)"
.venv/bin/python -X importtime -c "import engram" 2>&1 | tail -5
make test; make check
make docs && git diff docs
git add engram/app/hook.py && git commit -m "hook: silence"
git commit -m "engram hook"
git commit -am "adapt: engram adapt --yes asks"
git commit -m 'a' -m 'engram hook < x'
git commit -F msg.txt
git log -p --follow engram/app/hook.py
git log -S 'engram hook' --oneline
git diff main...engram-hook
git checkout engram-hook -- engram/app/hook.py
git show HEAD:engram/app/hook.py | head
git branch -m engram hook
git worktree add ../engram-hook engram hook
git config alias.eh 'log --grep=engram'
git -c core.pager=cat log engram
git mv engram/a.py engram/hook.py
gh pr create --title "engram hook" --body "engram hook"
gh issue comment 4 --body "engram pending add is gone"
gh run list --workflow engram
gh search code "engram hook"
grep -rn "engram" . --include='*.py' | wc -l
grep -rn 'engram hook' hooks extensions engram
rg -n "engram (hook|pending add)" -g '*.json'
rg "engram hook" | head
sed -i 's/engram pending add/engram hook/' hooks/hooks.json
sed -n '/engram hook/,$p' docs/cli.md
awk '/engram hook/ {print FILENAME}' docs/*.md
awk '/hook/ {print $1}' engram/app/hook.py
perl -ne 'print if /engram hook/' README.md
perl -pi -e 's/engram hook/engram hooks/' README.md
python3 -c "print(open('docs/cli.md').read().count('engram-hook'))"
printf 'engram hook\n' > /tmp/expected
echo "engram hook" >> docs/words.txt
echo engram hook | tee /tmp/a
echo 'engram review' | pbcopy
echo "run engram review in your terminal"
echo "Please run: engram review 3f2a" && echo ok
ls engram hook
ls engram/app/hook.py tests/app/test_hook.py
cat engram/app/hook.py
head -n 40 engram/app/hook.py engram/capture/heard.py
tail -f ~/.claude/debug/engram.log
wc -l engram/app/*.py | sort -n
find engram -name 'hook*'
find . -path ./node_modules -prune -o -name 'engram*' -print
find engram -name '*.py' -exec wc -l {} +
find . -name '*.py' -exec grep -l "engram hook" {} \;
find engram -name '*.py' | xargs grep -n "hook"
fd hook engram
xargs -n1 echo < engram.txt
for f in engram/app/*.py; do echo "$f"; done
for c in list status audit; do engram $c; done
for c in list status; do engram $c --json > /tmp/$c.json; done
while read -r n; do engram show "$n"; done < names.txt
diff <(engram list) <(engram list --scope user)
x=$(engram where --json | jq -r .project.path); ls "$x"
cd "$(engram where --json | jq -r .project.path)" && git log --oneline
git -C "$(engram where --json | jq -r .project.path)" status
git -C ~/.agent-memory show HEAD:MEMORY.md
git -C ~/.agent-memory log -p --since=yesterday
git -C ~/.agent-memory diff HEAD
git -C ~/.agent-memory blame memories/user/me.md
ls -la ~/.agent-memory
tree ~/.agent-memory/memories
cat ~/.agent-memory/memories/user/me.md
cat ~/.claude/projects/-home-me-x/memory/MEMORY.md
grep -rn pnpm ~/.agent-memory/memories
wc -l ~/.agent-memory/MEMORY.md
find ~/.agent-memory -name '*.md' | head
find ~/.agent-memory -name '*.md' -newer x
ls ~/.agent-memory/*.md
ls ~/.agent-memory/m*
cp ~/.agent-memory/MEMORY.md /tmp/
pip install -e '.[dev,mcp]'
pip install engram-curator && engram --version
pipx install 'engram-curator[mcp]'
npm i -g @openai/codex
docker build -t engram . && docker run --rm engram engram --version
docker run --rm -v $PWD:/w engram:dev engram status
docker exec engram ls
docker compose logs engram
docker exec -it engram bash
kubectl logs deploy/engram
ssh host 'cd engram && git pull'
ssh -t host 'tmux attach'
ssh host engram list
scp engram.whl host:
rsync -a engram/ host:engram/
tmux new -s engram
tmux new-session -d -s engram 'npm test'
tmux attach -t engram
tmux send-keys -t dev 'make test' Enter
tmux send-keys -t dev yes Enter
tmux send-keys -t dev 'yes | rm x' Enter
tmux kill-session -t engram
screen -S engram
code engram
open https://github.com/x/engram
xdg-open docs/engram.html
claude plugin validate . --strict
claude -p "what does engram hook do"
claude plugin install engram@engram
codex exec "review engram hook"
which -a engram
readlink -f $(which engram)
file $(which engram)
ls -l $(which engram)
head -1 $(which engram)
ln -s $PWD/.venv/bin/engram ~/.local/bin/engram
ln -sf ../engram.py bin/engram
cp engram/app/hook.py /tmp/hook.py
mv engram/hooks engram/hook
alias ll='ls -l'
man engram
time engram recall x
time .venv/bin/python -m engram recall "x"
hyperfine 'engram recall x' 'engram list'
hyperfine --warmup 3 '.venv/bin/python -m engram status'
timeout 20 engram doctor
nohup engram ui > /tmp/ui.log 2>&1 &
env | grep ENGRAM
env ENGRAM_HOME=/tmp/x engram list
export ENGRAM_HOME=/tmp/x && engram status
unset ENGRAM_HOME; engram where
unset PYTHONPATH && make test
env -u ENGRAM_HOME make test
env -i PATH=$PATH HOME=$HOME make test
env -u CLAUDECODE make test
env -u CLAUDECODE .venv/bin/python -m pytest -q tests/app
bash scripts/release.sh engram
bash -c 'engram list | head'
bash -lc 'engram status'
sh -c 'for f in engram/*; do echo $f; done'
bash -x run.sh hook
zsh -ic 'which engram'
source .venv/bin/activate && engram list
. .venv/bin/activate; engram recall "hook"
eval "$(direnv hook bash)"
eval "$(starship init zsh)"
eval $(ssh-agent)
direnv hook zsh
git config core.hooksPath .githooks
husky add .husky/pre-commit "npm test"
pre-commit run --hook-stage push
ls .git/hooks && cat .git/hooks/pre-commit
echo '#!/bin/sh' > .git/hooks/pre-commit
lefthook install
cat *.md | grep hook
echo $HOME hook
curl -X POST $HOOK_URL -d "engram hook deployed"
curl -s localhost:8080/hook?name=engram
jq '.hooks | keys' hooks/hooks.json
jq -r '.. | .command? // empty' hooks/hooks.json | sort -u
yq '.jobs.engram' .github/workflows/ci.yml
python3 -m json.tool hooks/hooks.json
python3 -m venv .venv && .venv/bin/pip install -e .
python3 -m build && twine check dist/*
python3 -m http.server -d docs
node -e 'console.log(require("./hooks/hooks.json").hooks.Stop)'
node scripts/hook.js engram
npx prettier --check hooks/hooks.json
npm test -- engram
npm run hook
yarn hook
cargo run -- hook
go run ./cmd/engram list
make hook
just hook
trap 'rm -f /tmp/x' EXIT; engram list > /tmp/x
[ -x "$(command -v engram)" ] && engram list
if command -v engram >/dev/null; then engram status; else echo none; fi
command -v engram || pip install engram-curator
test -f engram/app/hook.py && echo yes
(cd engram && ls)
{ engram list; engram status; } > /tmp/out
engram list 2>&1 | less
engram list & wait
watch -n5 engram status
script -q /dev/null make test
expect -c 'spawn npm login'
python3 -c 'import pty; pty.spawn(["make", "test"])'
xterm -e make test &
osascript -e 'display notification "done"'
xdotool search engram
notify-send "engram hook finished"
at -l
crontab -l
echo '0 9 * * * cd ~/x && make' | crontab -
sqlite3 ~/.cache/x.db 'select 1'
psql -c "select * from engram where hook = 1"
mysql -e "insert into t values ('engram hook')"
slackcat --text "engram hook is done now"
say "engram hook done"
terraform apply -var name=engram
aws s3 cp engram.whl s3://b/
gcloud run deploy engram
pytest -q tests/capture/test_runs.py -k "engram"
ruff check --fix engram
bat engram/app/hook.py
vim engram/app/hook.py
nano docs/engram.md
git grep "engram hook" -- '*.md'
git log --all --oneline -- '*hook*'
ls **/hook*.py
ls engram/*/hook.py
cat engram/app/h*.py | head
wc -l $(git ls-files 'engram/*hook*')
echo "$(git log -1 --format=%s) hook"
printf "%s hook\n" "$name"
test "$a" = hook && echo engram
git stash push -m "engram hook wip"
git switch -c engram-pending-add
grep -c "pending add" engram/*.py
python tools/gen.py --name engram hook
docker run -e NAME=engram img hook
Get-Content docs\engram.md | Select-String hook
Get-ChildItem engram -Recurse -Filter *hook*
$x = engram list --json | ConvertFrom-Json
if (Test-Path engram) { engram list }
Start-Process code engram
"""

_LONG = (
    "python - <<'E'\nimport json\nprint(json.dumps({'a': 1}))\nE",
    'cat > /tmp/changeset.json <<\'E\'\n{"reason": "see .engram/queue and engram hook"}\nE',
    "cat > docs/hook.md <<'E'\nRun `engram hook` from your client. State lies in `.engram/`.\nE",
    "python - <<'E' > out.txt\nprint('engram review waits for a person')\nE",
    "engram curate apply --json - <<'X'\n{\"version\": 1}\nX",
    "python - <<'X'\nimport re\ntext = open('README.md').read()\nprint(text.count('engram hook'))\nX",
    "cat > /tmp/x.md <<'X'\nengram hook\nengram pending add\nX",
    "cat >> CHANGELOG.md <<'X'\n- `engram hook` answers once.\nX",
    "tee docs/a.md <<'X'\nRun engram hook\nX",
    "git commit -F - <<'E'\nengram hook: silence\n\nNothing goes to .engram/ any more.\nE",
    "git commit -m \"$(cat <<'E'\nengram hook: silence\n\nNothing in .engram/ is read.\nE\n)\"",
)
ORDINARY = (*filter(None, _LINES.split("\n")), *_LONG)
