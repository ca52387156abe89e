import HTTPTypes
import Interception
import RequestAuthorization
import RequestSigning
import ResponseCaching
import SwitchyardTesting

/// Everything that a history consists of: time, servers, the app, and the checks.
package final class World: @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  /// What every secret of a history contains, so that no output may contain it.
  static let secretMark = "S3CRET"
  /// The field that says which call a request belongs to.
  static let callField = HTTPField.Name("Simulated-Call") ?? .from
  /// The field of a token in histories with `Settings.hasOwnField`; no list of usual names has it.
  static let memberField = HTTPField.Name("Simulated-Member") ?? .from
  /// What calls that are otherwise equal differ in.
  static let volatile = VolatileParts(
    fields: VolatileParts.standard.fields.union([callField.canonicalName]),
    fieldPrefixes: VolatileParts.standard.fieldPrefixes, parameters: VolatileParts.standard.parameters)
  static let keyField = HTTPField.Name("Idempotency-Key") ?? .from
  static let accounts = ["ann", "bob"]

  package let plan: Plan
  package let scheduler: Scheduler
  package let clock: VirtualClock
  package let story: Story
  package private(set) lazy var checks = Checks(self)
  let network: SimulatedNetwork
  private(set) lazy var connectivity = Connectivity(self)
  private(set) lazy var tokens = TokenServer(self)
  private(set) lazy var cookies = CookieLedger(self)
  private(set) lazy var api = APIServer(self, key: signingKey)
  let signingKey: SigningKey
  /// The platform to which the key is sealed; nil if the servers know it.
  let platform: PlatformPrivateKey?
  /// What the disk has, in all lives.
  private(set) lazy var disk = SimulatedDisk(self)
  private(set) lazy var mutationFile = SimulatedFile(self, "mutations")
  private(set) lazy var activityFile = SimulatedFile(self, "activities")
  private(set) lazy var activities = ActivityServer(self)
  /// What the app has stored of deployment documents, and what it must have applied.
  var deploymentFile = DeploymentFile()
  var deployment = DeploymentOracle()
  private(set) var random: SeededRandom
  private var lives = 0

  package init(_ plan: Plan, isTold: Bool) throws {
    self.plan = plan
    var random = SeededRandom(seed: plan.seed ^ 0x5157)
    scheduler = Scheduler(plan.settings.order, random: random.fork())
    clock = VirtualClock(scheduler)
    story = Story(scheduler, isTold: isTold)
    signingKey = try SigningKey(id: "app", secret: Array("\(Self.secretMark) of the app, 32 bytes".utf8))
    platform =
      plan.settings.sealsKey
      ? try PlatformPrivateKey(
        id: "platform", privateKey: Array("\(Self.secretMark) of a platform, 32 bytes..".utf8))
      : nil
    self.random = random
    // By the call, so that a history from which other calls are removed stays the same for this one.
    network = SimulatedNetwork(
      seed: plan.seed, faults: { [settings = plan.settings] _, random in settings.fault(using: &random) },
      time: clock.serverSource, naming: { $0.call.map { "call \($0)" } ?? "" })
    serve(activities, at: ActivityServer.origin)
    serve(api, at: APIServer.origin)
    serve(tokens, at: TokenServer.origin)
    serve(StaticServer(self), at: StaticServer.origin)
  }

  private func serve(_ server: any SimulatedServer, at origin: String) {
    network.serve(origin) { arrival in
      var response = await server.reply(to: arrival)
      response.head.headerFields[FreshnessOracle.stampField] = String(arrival.number)
      return response
    }
  }

  /// Returns the number of a life that begins.
  func nextLife() -> Int {
    lives += 1
    return lives
  }

  func accessToken(_ value: String, of account: String) throws -> AccessToken {
    try AccessToken(
      value, expiry: clock.wallTime.advanced(by: plan.settings.tokenLife),
      refreshToken: "\(Self.secretMark)-refresh-\(account)")
  }

  func fork() -> SeededRandom { random.fork() }
}

/// What happened, line by line, with a digest by which two runs are compared.
package final class Story: @unchecked Sendable {
  private let scheduler: Scheduler
  private let isTold: Bool
  package private(set) var lines: [String] = []
  package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ scheduler: Scheduler, isTold: Bool) {
    self.scheduler = scheduler
    self.isTold = isTold
  }

  /// Adds a line, which is kept if the story will be printed.
  func tell(_ line: @autoclosure () -> String) {
    let (seconds, attoseconds) = scheduler.now.components
    digest =
      (digest ^ UInt64(bitPattern: seconds &* 1_000 + attoseconds / 1_000_000_000_000_000)) &* 0x100_0000_01B3
    guard isTold else { return }
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    let (whole, part) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    let fraction = String(part)
    lines.append("\(whole).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s  \(line())")
  }
}
