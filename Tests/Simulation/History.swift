import APIManagers
import ActivityReporting
import HTTPTypes
import Interception
import OfflineMutations
import RequestAuthorization
import SwitchyardTesting

/// The run of a plan.
package struct History: Sendable {
  package private(set) var violations: [Violation]
  package let outcomes: [String: Int]
  package let lines: [String]
  package let digest: UInt64
  package let jobs: Int
  /// When the callers of writes, and the app, learnt of changes.
  let writeEnds: [Duration]

  /// Runs a plan completely.
  package init(_ plan: Plan, isTold: Bool = false) throws {
    let remainder: WeakWorld
    (self, remainder) = try Self.run(plan, isTold: isTold)
    guard remainder.world != nil else { return }
    violations.append(
      Violation(
        invariant: .nothingLeft, text: "The history's objects are kept: by a cycle, or by a task that waits.")
    )
  }

  private init(_ world: World) {
    violations = world.checks.violations
    outcomes = world.checks.outcomes
    lines = world.story.lines
    digest = world.story.digest
    jobs = world.scheduler.jobCount
    writeEnds = world.checks.freshness.writeEnds
  }

  private static func run(_ plan: Plan, isTold: Bool) throws -> (History, WeakWorld) {
    let world = try World(plan, isTold: isTold)
    let ports = try Self.run(world)
    // What the release of the last process starts.
    _ = world.scheduler.run(until: world.scheduler.now)
    world.checks.checkReleased(ports.count)
    world.mutationFile.remove()
    world.activityFile.remove()
    return (History(world), WeakWorld(world: world))
  }

  /// Runs a world, releases the app, and returns what has remained of it.
  private static func run(_ world: World) throws -> WeakPorts {
    let driver = try Driver(world)
    driver.run()
    return driver.ports
  }
}

/// Does the steps of a plan.
private final class Driver: @unchecked Sendable {
  private let world: World
  private var life: Life
  private var random: SeededRandom
  let ports: WeakPorts

  init(_ world: World) throws {
    self.world = world
    random = world.fork()
    life = try Life(world, account: "ann")
    ports = WeakPorts()
    ports.add(life.port)
  }

  func run() {
    for step in world.plan.steps {
      world.scheduler.at(step.time) { [self] in perform(step) }
    }
    let end = world.plan.end
    world.scheduler.at(end) { [self] in
      world.connectivity.heal()
      life.networkDidChange()
    }
    // What waits for an account is delivered while it uses the app.
    for (number, account) in World.accounts.enumerated() where world.plan.settings.hasQueues {
      world.scheduler.at(end + .seconds(600 * (number + 1))) { [self] in login(account) }
    }
    world.scheduler.at(end + .seconds(2_400)) { [self] in
      world.checks.collectRejected(life.mutations)
      life.close()
    }
    let ending = world.scheduler.run(until: end + .seconds(3_600))
    world.checks.finish(ending, timers: world.scheduler.timerCount)
    world.checks.checkRest(of: life)
  }

  private func perform(_ step: Step) {
    world.checks.checkBounds(life)
    switch step.action {
    case .call(let call):
      world.story.tell("step \(step.number): \(call)")
      for copy in 0..<call.copies { begin(call, step.number * 10 + copy) }
    case .login(let account):
      world.story.tell("step \(step.number): login of \(account)")
      login(account)
    case .logout:
      world.story.tell("step \(step.number): logout")
      Task { @MainActor [self] in life.logout() }
    case .network(let isUp):
      world.story.tell("step \(step.number): the network is \(isUp ? "up" : "down")")
      world.connectivity.set(isUp: isUp)
      life.networkDidChange()
    case .setClock(let skew):
      world.story.tell("step \(step.number): the clock is wrong by \(skew)")
      world.clock.skew = skew
      world.checks.freshness.clockWasSet()
    case .change(let resource):
      world.story.tell("step \(step.number): \(resource) is changed")
      world.api.change(resource)
    case .revokeTokens:
      world.story.tell("step \(step.number): all tokens are revoked")
      world.tokens.revokeAll()
    case .outage(let name, let duration):
      world.story.tell("step \(step.number): \(name) is down for \(duration)")
      world.network.takeDown(name, for: duration)
    case .enqueue(let resource, let count): enqueue(resource, count, step.number * 10)
    case .record(let count): record(count, step.number * 10)
    case .add(let list):
      world.story.tell("step \(step.number): an item is added to list \(list)")
      var call = Call(path: "/lists/\(list)", method: .post)
      call.way = .response
      begin(call, step.number * 10)
    case .export(let list, let size, let looksAhead, let pauses):
      world.story.tell("step \(step.number): list \(list) is read, \(size) items at a time")
      let (life, first) = (life, 100_000 + step.number * 100)
      life.exports.append(
        Task { await life.export(list, size: size, looksAhead: looksAhead, pauses: pauses, first) })
    case .screen(let list, let gesture, let count):
      world.story.tell("step \(step.number): \(count) times \(gesture) on the screen of list \(list)")
      for number in 0..<count {
        world.scheduler.at(world.scheduler.now + .milliseconds(600 * number)) { [self] in
          let life = life
          Task { @MainActor in life.show(list, gesture) }
        }
      }
    case .push(let list):
      world.story.tell("step \(step.number): list \(list) is changed, and the app learns it")
      world.api.change("/lists/\(list)")
      push(list)
    case .edit(let path): edit(path, step.number * 10)
    case .changeAccount(let account, let path, let pause):
      world.story.tell("step \(step.number): \(account) logs in while the token is refreshed")
      world.tokens.revokeAll()
      read(path, step.number * 10)
      world.scheduler.at(world.scheduler.now + pause) { [self] in login(account) }
      world.scheduler.at(world.scheduler.now + pause + .seconds(3)) { [self] in
        read(path, step.number * 10 + 1)
      }
    case .serverRestart(let number): world.api.fleet.restart(number)
    case .nonceLoss: world.api.fleet.loseNonces()
    case .replay: world.checks.replay(&random)
    case .deliver(let delivery): deliver(delivery, step.number)
    case .restart:
      world.story.tell("step \(step.number): the process is killed and started again")
      restart()
    }
  }

  private func deliver(_ delivery: Delivery, _ number: Int) {
    world.story.tell(
      "step \(number): deployment document \(delivery.number) arrives, \(delivery.fate)")
    var random = SeededRandom(seed: world.plan.seed ^ UInt64(number))
    world.checks.receive(delivery, by: life, using: &random)
    guard delivery.fate == .killed else { return }
    restart()
  }

  private func read(_ path: String, _ id: Int) { begin(Call(path: path, way: .pipeline), id) }

  /// Reads a resource, changes it meanwhile, and reads it again when the change has ended.
  private func edit(_ path: String, _ first: Int) {
    world.story.tell("step \(first / 10): \(path) is read, changed, and read again")
    read(path, first)
    begin(Call(path: path, method: .put, way: .pipeline), first + 1)
    guard let change = life.tasks[first + 1] else { return }
    let port = life.port
    Task {
      await change.value
      if !port.isDead { read(path, first + 2) }
    }
  }

  private func push(_ list: Int) {
    let (life, world, checks) = (life, world, world.checks as Checks)
    let names = Set(World.accounts.map { ListServer.name(list, of: $0) })
    let versions = names.map { ($0, world.api.lists.version($0)) }
    Task {
      await life.tags.invalidate([PageLoad.tag(of: list)])
      guard !life.port.isDead else { return }
      for (name, version) in versions { checks.learnt(name, version) }
    }
  }

  private func login(_ account: String) {
    Task { @MainActor [self] in try? life.login(account) }
  }

  private func restart() {
    world.checks.abandonAll()
    world.checks.freshness.restarted(at: world.checks.moment())
    let account = life.account
    life.die()
    world.mutationFile.kill()
    world.activityFile.kill()
    guard let next = try? Life(world, account: account) else { return }
    life = next
    ports.add(life.port)
    world.checks.checkDeployment(of: life)
  }

  private func enqueue(_ resource: Int, _ count: Int, _ first: Int) {
    guard let queue = life.mutations, let account = life.account else { return }
    world.story.tell("\(count) changes of /me/\(resource) are queued for \(account)")
    let (checks, port) = (world.checks as Checks, life.port)
    Task {
      for id in first..<(first + count) {
        var request = Request(
          method: .post, authority: APIServer.origin, path: "/me/\(resource)",
          body: .bytes(Array("change \(id)".utf8)))
        request.context.partition = account
        let begin = checks.moment()
        guard
          (try? await queue.enqueue(request, resource: "me \(resource)", idempotencyKey: "change-\(id)"))
            != nil
        else { return }
        guard !port.isDead else { return }
        checks.acknowledged(
          "change-\(id)", account: account, resource: "/me/\(resource) of \(account)", since: begin)
      }
    }
  }

  private func record(_ count: Int, _ first: Int) {
    guard let log = life.activities else { return }
    let (checks, world, port) = (world.checks as Checks, world, life.port)
    Task {
      for id in first..<(first + count) {
        let event = ActivityEvent("event-\(id)", time: world.clock.wallTime, id: "event-\(id)")
        let begin = checks.moment()
        guard (try? await log.record(event)) != nil, !port.isDead else { return }
        checks.recorded("event-\(id)", since: begin)
      }
    }
  }

  private func begin(_ call: Call, _ id: Int) {
    let (life, checks) = (life, world.checks as Checks)
    let task = Task {
      checks.begin(id, call, life)
      guard call.way == .pipeline else {
        let list = ResourcePath(call.path).flatMap { $0.kind == "lists" ? $0.index : nil }
        if let list {
          checks.ended(id, await life.add(to: list, call, id))
        } else {
          checks.ended(id, await life.load(call, id))
        }
        return
      }
      let (pipeline, request) = (
        life.pipeline, call.request(id, tag: checks.tag(for: call, of: life.account))
      )
      let result: Result<(Response, [UInt8])?, NetworkError>
      do throws(NetworkError) {
        let response = try await pipeline.send(request)
        result = .success((response, try await response.body.collect(upTo: 1 << 20)))
      } catch { result = .failure(error) }
      checks.ended(id, result)
    }
    life.tasks[id] = task
    guard let pause = call.cancelAfter, call.cancelsCopies || id % 10 == 0 else { return }
    world.scheduler.at(world.scheduler.now + pause) { [self] in
      world.story.tell("call \(id) is cancelled")
      checks.cancel(id)
      task.cancel()
    }
  }
}

/// Whether a world still exists.
private struct WeakWorld {
  weak var world: World?
}

/// Whether the dispatchers of former lives still exist.
private final class WeakPorts {
  private struct Entry { weak var port: NetworkPort? }
  private var entries: [Entry] = []
  func add(_ port: NetworkPort) { entries.append(Entry(port: port)) }
  var count: Int { entries.count { $0.port != nil } }
}

extension Call {
  func request(_ id: Int, tag: String?) -> Request {
    let methods: [Method: HTTPRequest.Method] = [
      .get: .get, .head: .head, .put: .put, .post: .post, .delete: .delete,
    ]
    let origin = isStatic ? StaticServer.origin : APIServer.origin
    var request = Request(method: methods[method] ?? .get, authority: origin, path: path)
    request.head.headerFields[World.callField] = String(id)
    request.head.headerFields[.acceptLanguage] = language
    request.head.headerFields[.accept] = accept
    request.head.headerFields[.range] = range
    if let tag { request.head.headerFields[isWrite ? .ifMatch : .ifNoneMatch] = tag }
    if isWrite { request.body = .bytes(Array("body of \(id)".utf8)) }
    if method == .post, hasKey { request.head.headerFields[World.keyField] = "key-\(id / 10)" }
    request.options.timeouts.call = limit
    if isStreamed { request.options.delivery = .streamed }
    if let timed { request.context.cacheRule = .timed(timed) }
    request.context.cacheRule = request.context.cacheRule.with(mode)
    if !sendsCredentials { request.context.sendsCredentials = false }
    return request
  }
}
