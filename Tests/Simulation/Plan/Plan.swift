import Interception
import SwitchyardTesting

/// What happens in a history, as its seed determines.
package struct Plan: Sendable {
  package let seed: UInt64
  package let settings: Settings
  package var steps: [Step]

  /// Creates the plan of a seed.
  package init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    self.seed = seed
    settings = Settings(using: &random)
    var time = Duration.zero
    steps = (1...Int.random(in: 1...24, using: &random)).map { [settings] number in
      time += Step.pause(using: &random)
      return Step(number: number, time: time, action: Action(settings, using: &random))
    }
    guard settings.hasDeployments else { return }
    // From a copy, so that the other steps don't depend on them; they have numbers of their own.
    var copy = random
    for number in 1...Int.random(in: 2...12, using: &copy) {
      let step = Step(
        number: 1_000 + number,
        time: .milliseconds(Int.random(in: 0...max(1, Int(time / .milliseconds(1))), using: &copy)),
        action: .deliver(Delivery(using: &copy)))
      steps.insert(step, at: steps.firstIndex { $0.time > step.time } ?? steps.endIndex)
    }
  }

  /// Creates a plan with certain steps.
  init(seed: UInt64, _ settings: Settings, _ actions: [(time: Duration, action: Action)]) {
    self.seed = seed
    self.settings = settings
    steps = actions.enumerated().map { Step(number: $0 + 1, time: $1.time, action: $1.action) }
  }

  /// The time after which nothing fails any more.
  var end: Duration { (steps.last?.time ?? .zero) + .seconds(30) }
}

/// Something that the user, a server or the world does.
package struct Step: Sendable {
  package let number: Int
  package let time: Duration
  package var action: Action

  static func pause(using random: inout SeededRandom) -> Duration {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: .zero
    case 4..<7: .milliseconds(Int.random(in: 1...300, using: &random))
    case 7..<9: .milliseconds(Int.random(in: 300...8_000, using: &random))
    default: .seconds(Int.random(in: 8...90, using: &random))
    }
  }
}

/// A request of the user.
package struct Call: Sendable {
  enum Method: Sendable { case get, head, put, post, delete }

  var way = CallWay.pipeline
  var method: Method
  var path: String
  var mode: CacheRule.Mode = .useFresh
  var timed: Duration?
  var language: String?
  var accept: String?
  /// The part of a file.
  var range: String?
  /// Whether the call names the version that the app has seen last: a read that one is not to be sent
  /// again, a write that no other one is to be replaced.
  var hasCondition = false
  var limit: Duration?
  var cancelAfter: Duration?
  /// Whether all copies of the call are cancelled, and not the first one only.
  var cancelsCopies = true
  var copies = 1
  var isStreamed = false
  var hasKey = false
  var sendsCredentials = true
  /// Whether the call is for the origin of static files, which gets nothing that is meant for the API.
  var isStatic = false

  init(using random: inout SeededRandom) {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    let index = Int.random(in: 0..<8, using: &random)
    switch Int.random(in: 0..<27, using: &random) {
    case 0..<8: path = "/items/\(index)"
    case 8..<16: path = "/me/\(index)"
    case 16..<18: path = "/old/\(index)"
    case 18: path = "/away/\(index)"
    case 19..<21: path = "/round/\(index)"
    case 21..<24: path = "/texts/\(index % 5)"
    default: path = "/files/\(index % 4)"
    }
    method = .get
    if chance(20) { method = [.put, .post, .delete, .head].randomElement(using: &random) ?? .put }
    if chance(30) { mode = CacheRule.Mode.allCases.randomElement(using: &random) ?? .useFresh }
    if chance(10) { timed = .seconds(Int.random(in: 1...60, using: &random)) }
    if chance(20) { language = chance(50) ? "de" : "fr" }
    if chance(30) { limit = .milliseconds(Int.random(in: 20...40_000, using: &random)) }
    if chance(20) { cancelAfter = .milliseconds(Int.random(in: 0...3_000, using: &random)) }
    if chance(30) { copies = Int.random(in: 2...4, using: &random) }
    cancelsCopies = chance(50)
    isStreamed = chance(25)
    hasKey = chance(50)
    sendsCredentials = !chance(8)
    hasCondition = chance(10)
    if path.hasPrefix("/items"), method == .get, chance(8) {
      isStatic = true
      return
    }
    if path.hasPrefix("/texts") {
      if method == .head { method = .get }
      accept = chance(50) ? "text/html" : nil
      language = chance(60) ? ["de", "fr"].randomElement(using: &random) : language
    }
    if path.hasPrefix("/files") {
      if method != .get { method = .put }
      let ranges = ["bytes=0-9", "bytes=10-", "bytes=-8", "bytes=60-99", "bytes=70-80"]
      range = method == .get && chance(70) ? ranges.randomElement(using: &random) : nil
      return
    }
    guard chance(30), method == .get || method == .put else { return }
    way = [.response, .response, .content, .updates].randomElement(using: &random) ?? .response
    // What an endpoint decides, not a load.
    (limit, isStreamed, sendsCredentials, accept, hasCondition) = (nil, false, true, nil, false)
    timed = way == .content ? ContentLoad.lifetime : nil
    if way == .updates { mode = .revalidate }
  }

  init(path: String, method: Method = .get, way: CallWay = .response) {
    (self.path, self.method, self.way) = (path, method, way)
  }

  var isWrite: Bool { method != .get && method != .head }
}

package enum Action: Sendable {
  case call(Call)
  case login(String)
  case logout
  case network(isUp: Bool)
  /// The wall clock of the device is set.
  case setClock(Duration)
  /// Another client changes a resource.
  case change(String)
  case revokeTokens
  case outage(String, Duration)
  /// A recorded request is sent again.
  case replay
  /// One of the servers that verify signatures is started again.
  case serverRestart(Int)
  /// The store of nonces is started again, empty.
  case nonceLoss
  case restart
  /// A deployment document arrives.
  case deliver(Delivery)
  /// Changes are queued, one after the other.
  case enqueue(resource: Int, count: Int)
  /// Actions are recorded.
  case record(count: Int)
  /// The user adds an item to a list.
  case add(list: Int)
  /// A list is read completely.
  case export(list: Int, size: Int, looksAhead: Bool, pauses: Bool)
  /// The user does something on a screen that shows a list.
  case screen(list: Int, ListScreen.Gesture, count: Int)
  /// The server changes a list, and notifies the app.
  case push(list: Int)
  /// The user reads a resource, changes it meanwhile, and reads it again as soon as the change has ended.
  case edit(String)
  /// The token is refused, and while the app refreshes it another account logs in.
  case changeAccount(to: String, path: String, after: Duration)

  init(_ settings: Settings, using random: inout SeededRandom) {
    switch Int.random(in: 0..<130, using: &random) {
    case 0..<60: self = .call(Call(using: &random))
    case 60..<67:
      self = .enqueue(
        resource: Int.random(in: 0..<3, using: &random), count: Int.random(in: 1...4, using: &random))
    case 67..<72: self = .record(count: Int.random(in: 1...5, using: &random))
    case 72..<77: self = .login(Bool.random(using: &random) ? "ann" : "bob")
    case 77..<79: self = .logout
    case 79..<83: self = .network(isUp: Int.random(in: 0..<3, using: &random) > 0)
    case 83..<85:
      // Set back by little, the clock soon shows a time again that it has shown before.
      let range = Bool.random(using: &random) ? -2_000...2_000 : -60...0
      self = .setClock(.seconds(Int.random(in: range, using: &random)))
    case 85..<90:
      let kind = ["items", "items", "lists", "texts", "files"].randomElement(using: &random) ?? "items"
      self = .change("/\(kind)/\(Int.random(in: 0..<(kind == "items" ? 8 : 4), using: &random))")
    case 90..<92: self = .revokeTokens
    case 92..<95:
      let names = [APIServer.origin, "10.0.0.1", "10.0.0.2", TokenServer.origin, StaticServer.origin]
      self = .outage(
        names.randomElement(using: &random) ?? "", .seconds(Int.random(in: 1...60, using: &random)))
    case 95..<97: self = .replay
    case 97..<100: self = .restart
    case 112..<115: self = .replay
    case 115..<117: self = .serverRestart(Int.random(in: 0..<3, using: &random))
    case 117: self = .nonceLoss
    case 118..<121: self = .push(list: Int.random(in: 0..<4, using: &random))
    case 121..<127:
      let kind = Bool.random(using: &random) ? "items" : "me"
      self = .edit("/\(kind)/\(Int.random(in: 0..<8, using: &random))")
    case 127..<130:
      self = .changeAccount(
        to: Bool.random(using: &random) ? "ann" : "bob", path: "/me/\(Int.random(in: 0..<8, using: &random))",
        after: .milliseconds(Int.random(in: 0...400, using: &random)))
    case 100..<104: self = .add(list: Int.random(in: 0..<4, using: &random))
    case 104..<107:
      self = .export(
        list: Int.random(in: 0..<4, using: &random), size: Int.random(in: 2...4, using: &random),
        looksAhead: Bool.random(using: &random), pauses: Bool.random(using: &random))
    default:
      self = .screen(
        list: Int.random(in: 0..<10, using: &random) < 8
          ? settings.screenList : Int.random(in: 0..<4, using: &random),
        ListScreen.Gesture.allCases.randomElement(using: &random) ?? .scroll,
        count: Int.random(in: 1...4, using: &random))
    }
  }
}
