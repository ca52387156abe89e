import ResponseCaching
import SwitchyardTesting

/// How the app is configured in a history, and how often things fail.
package struct Settings: Sendable {
  package internal(set) var order: Scheduler.Order
  let attempts: Int
  let hasBudget: Bool
  let hasBreaker: Bool
  var hasHedging: Bool
  let waitsForNetwork: Bool
  var hasDisk: Bool
  let hasBypass: Bool
  let canRace: Bool
  var tokenLife: Duration
  /// Whether the app has a queue of mutations and a log of actions.
  let hasQueues: Bool
  /// Whether the app logs and archives what it sends.
  let isRecording: Bool
  /// How many servers verify signatures, and whether they share their nonces.
  let verifierCount: Int
  let sharesNonces: Bool
  /// By how much the clocks of client and server may differ.
  let verifierWindow: Duration
  /// Whether the shared nonces can be lost.
  let losesNonces: Bool
  /// Whether each request carries the signing key, sealed to the platform.
  let sealsKey: Bool
  /// The list that the app shows most of the time.
  let screenList: Int
  /// What the app keeps in memory.
  var storeLimits: MemoryStore.Limits
  /// How many mutations the app's queue takes.
  let queueLimit: Int
  /// Whether the app's client asks the cache what is stored.
  var hasStoredState: Bool
  /// How many of a thousand exchanges have a fault.
  var faultRate: Int
  /// Whether the accounts' tokens are in a field of the app's own instead of `Authorization`.
  let hasOwnField: Bool
  /// Whether deployment documents arrive.
  let hasDeployments: Bool

  init(using random: inout SeededRandom) {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    order = Scheduler.Order.allCases.randomElement(using: &random) ?? .any
    attempts = Int.random(in: 1...4, using: &random)
    hasBudget = chance(50)
    hasBreaker = chance(40)
    hasHedging = chance(20)
    waitsForNetwork = chance(30)
    hasDisk = chance(50)
    hasBypass = chance(40)
    canRace = chance(60)
    tokenLife = .seconds([20, 90, 3_600].randomElement(using: &random) ?? 90)
    hasQueues = chance(30)
    isRecording = chance(20)
    hasStoredState = chance(50)
    sealsKey = chance(10)
    screenList = Int.random(in: 0..<4, using: &random)
    storeLimits =
      chance(30) ? MemoryStore.Limits(bytes: 8_000, responseBytes: 4_000, responses: 3) : MemoryStore.Limits()
    queueLimit = chance(30) ? 4 : 10_000
    sharesNonces = chance(80)
    verifierCount = sharesNonces ? Int.random(in: 1...3, using: &random) : 1
    losesNonces = chance(20)
    verifierWindow = sharesNonces ? .seconds(300) : .seconds(30)
    faultRate = [0, 50, 200, 500].randomElement(using: &random) ?? 0
    // From a copy, so that what else happens doesn't depend on it.
    var copy = random
    hasOwnField = Int.random(in: 0..<3, using: &copy) == 0
    hasDeployments = Int.random(in: 0..<4, using: &copy) == 0
  }

  /// The settings of a seed, but nothing fails, and neither a token nor a stored response is lost.
  static func faultless(_ order: Scheduler.Order, seed: UInt64) -> Settings {
    var random = SeededRandom(seed: seed)
    var settings = Settings(using: &random)
    settings.order = order
    (settings.hasHedging, settings.hasDisk, settings.faultRate) = (false, false, 0)
    settings.hasStoredState = true
    (settings.tokenLife, settings.storeLimits) = (.seconds(3_600), MemoryStore.Limits())
    return settings
  }

  /// Draws what goes wrong in an exchange.
  func fault(using random: inout SeededRandom) -> SimulatedFault {
    SimulatedFault.drawn(perMille: faultRate, using: &random)
  }
}
