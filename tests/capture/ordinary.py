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
"""

_LONG = (
    "python - <<'E'\nimport json\nprint(json.dumps({'a': 1}))\nE",
    'cat > /tmp/changeset.json <<\'E\'\n{"reason": "see .engram/queue and engram hook"}\nE',
    "cat > docs/hook.md <<'E'\nRun `engram hook` from your client. State lies in `.engram/`.\nE",
    "python - <<'E' > out.txt\nprint('engram review waits for a person')\nE",
    "git commit -F - <<'E'\nengram hook: silence\n\nNothing goes to .engram/ any more.\nE",
    "git commit -m \"$(cat <<'E'\nengram hook: silence\n\nNothing in .engram/ is read.\nE\n)\"",
)
ORDINARY = (*filter(None, _LINES.split("\n")), *_LONG)
