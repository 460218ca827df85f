// engram's bridge into opencode: starts `engram hook` with JSON on stdin and puts what it says before the model.
// engram/adapters/opencode.py documents the JSON. Whatever goes wrong here, opencode goes on as if it weren't there.

import { spawn } from "node:child_process"

const COMMAND = ["engram"] // what starts engram; `engram adapt` writes the interpreter's whole path here
const MILLISECONDS = 5000 // engram gives itself less; this is for a command that isn't engram, or a machine that hangs
const LONGEST = 1 << 20 // of an answer, in characters
const GUARDED = new Set(["bash", "shell", "write", "edit", "multiedit", "patch", "apply_patch"])

// Returns engram's answer to an event; {} where it says nothing, is missing, is slow or fails.
function asked(command, payload, cwd) {
  return new Promise((resolve) => {
    let child
    let said = ""
    let timer
    const done = (answer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    try {
      child = spawn(command[0], [...command.slice(1), "hook", "--host", "opencode"], {
        cwd,
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      })
    } catch {
      return done({})
    }
    timer = setTimeout(() => {
      child.kill()
      done({})
    }, MILLISECONDS)
    child.on("error", () => done({}))
    child.stdin.on("error", () => {})
    child.stdout.on("error", () => {})
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text) => {
      if (said.length < LONGEST) said += text
    })
    child.on("close", () => {
      try {
        const answer = JSON.parse(said)
        done(answer !== null && typeof answer === "object" ? answer : {})
      } catch {
        done({})
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

// Returns an id that opencode puts right behind a part's: it keeps a message's parts in the order of their ids.
function behind(id) {
  const random = Array.from({ length: 10 }, () => Math.floor(Math.random() * 36).toString(36)).join("")
  return `${id.slice(0, -14)}zzzz${random}`
}

export const Engram = async ({ client, directory }, options) => {
  const command = Array.isArray(options?.command) && options.command.length ? options.command : COMMAND
  const sessions = new Map()
  const running = new Set()

  const known = (id) => {
    if (!sessions.has(id)) sessions.set(id, { source: "startup", parent: undefined, message: "", busy: false })
    return sessions.get(id)
  }

  // Returns the id of the session that started this one; "" for one that a person started.
  const parent = async (id) => {
    const session = known(id)
    if (session.parent === undefined) {
      try {
        session.parent = (await client.session.get({ path: { id } })).data?.parentID ?? ""
      } catch {
        session.parent = ""
      }
    }
    return session.parent
  }

  const tell = (event, id, more) => {
    const payload = { hook_event_name: event, sessionID: id, cwd: directory, ...more }
    const answer = asked(command, payload, directory)
    running.add(answer)
    return answer.finally(() => running.delete(answer))
  }

  const prompted = async (id, output) => {
    if (await parent(id)) return
    const session = known(id)
    const spoken = output.parts.filter((part) => part.type === "text" && !part.synthetic)
    const source = session.source
    session.source = ""
    session.message = output.message.id
    session.busy = true
    const answers = source ? [await tell("SessionStart", id, { source })] : []
    const prompt = spoken.map((part) => part.text).join("\n")
    answers.push(await tell("UserPromptSubmit", id, { message_id: output.message.id, prompt }))
    for (const { additionalContext: text } of answers) {
      const last = output.parts.at(-1)
      if (typeof text !== "string" || !text || !last) continue
      // Kept with the message, so that a session that is resumed still has it; `synthetic`: not the person's words.
      const where = { id: behind(last.id), sessionID: id, messageID: output.message.id }
      output.parts.push({ ...where, type: "text", text, synthetic: true })
    }
  }

  const rested = async (id) => {
    if (await parent(id)) return
    const session = known(id)
    session.busy = false
    await tell("Stop", id, { message_id: session.message })
  }

  return {
    event: async ({ event }) => {
      try {
        const { sessionID, info } = event.properties ?? {}
        if (event.type === "session.created" && info?.id) known(info.id).parent = info.parentID ?? ""
        if (event.type === "session.compacted" && sessionID) known(sessionID).source = "compact"
        if (event.type === "session.deleted" && info?.id) sessions.delete(info.id)
        if (event.type === "session.idle" && sessionID) await rested(sessionID)
      } catch {}
    },
    "chat.message": async ({ sessionID }, output) => {
      try {
        await prompted(sessionID, output)
      } catch {}
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      try {
        if (!(await parent(sessionID))) await tell("PreCompact", sessionID, {})
      } catch {}
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      if (!GUARDED.has(tool)) return
      let refused = ""
      try {
        const child = await parent(sessionID)
        const call = { tool_name: tool, tool_input: output.args, tool_use_id: callID }
        const { deny } = await tell("PreToolUse", sessionID, child ? { ...call, agent_id: child } : call)
        if (typeof deny === "string") refused = deny
      } catch {}
      if (refused) throw new Error(refused)
    },
    dispose: async () => {
      // A turn that was broken off has no idle after it.
      for (const [id, session] of sessions) if (session.busy && !session.parent) tell("SessionEnd", id, {}).catch(() => {})
      await Promise.allSettled(running)
    },
  }
}
