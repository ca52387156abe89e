/// Something that a user of the app does.
enum UserStep: Hashable {
  case home(Int)
  /// The first homes of a city, in an order that does not change.
  case homes(city: String)
  /// A list of all homes of a kind, by the name of its route.
  case list(String)
  /// A list that grows, and its second page.
  case browse(city: String)
  case compare([Int])
  /// A favourite, which waits for the network if there is none.
  case favourite(Int)
  /// Looks at a page and leaves before it is there.
  case leave(Int)
  case expire
  /// The network is gone, or back.
  case network(isOnline: Bool)
  /// The server is no longer reached at its first address, or again.
  case address(isUp: Bool)
  /// A deployment document changes the price label, or takes that back.
  case deployment(isSpring: Bool)
  /// The wall clock jumps by some seconds.
  case clock(Int)

  /// The URL that is opened; nil for a jump of the clock.
  var url: String? {
    switch self {
    case .home(let id), .leave(let id): "estate://home/\(id)"
    case .homes(let city): "estate://listings/house?city=\(Self.escaped(city))"
    case .list(let kind): "estate://listings/\(kind)"
    case .browse(let city): "estate://browse?city=\(Self.escaped(city))"
    case .compare(let homes): "estate://compare?homes=\(homes.map(String.init).joined(separator: ","))"
    case .favourite(let id): "estate://favourites/add/\(id)"
    case .expire: "estate://session/expire"
    case .network(let isOnline): "estate://settings/network/\(isOnline ? "online" : "offline")"
    case .address(let isUp): "estate://fault/address-\(isUp ? "up" : "down")"
    case .deployment(let isSpring): "estate://settings/deployment/\(isSpring ? "spring" : "none")"
    case .clock: nil
    }
  }

  var showsHomes: Bool {
    switch self {
    case .home, .homes, .list, .browse, .compare: true
    case .favourite, .leave, .expire, .network, .address, .deployment, .clock: false
    }
  }

  private static func escaped(_ city: String) -> String {
    city.split(separator: " ").joined(separator: "%20")
  }
}

/// The steps of a user, which follow from a seed.
struct StepPlan {
  private let cities: [String]
  private let homeCount: Int
  private var random: SeededRandom
  private var isOnline = true
  private var isAddressUp = true
  /// The favourites that are added; each once, so that a lost one is noticed.
  private var favourites: ArraySlice<Int>

  /// - Parameter favourites: The homes that this user adds to the favourites.
  init(seed: UInt64, cities: [String], homeCount: Int, favourites: [Int]) {
    random = SeededRandom(seed: seed)
    self.cities = cities
    self.homeCount = homeCount
    self.favourites = favourites.shuffled(using: &random)[...]
  }

  mutating func next() -> UserStep {
    // Without the network most steps fail, but what is promised then is what could be lost.
    if !isOnline {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        isOnline = true
        return .network(isOnline: true)
      case 1: if let home = favourites.popFirst() { return .favourite(home) }
      default: break
      }
    }
    switch Int.random(in: 0..<100, using: &random) {
    case ..<2: return .deployment(isSpring: Bool.random(using: &random))
    case ..<35: return .home(anyHome())
    case ..<50: return .homes(city: anyCity())
    case ..<58: return .list(["condo", "multi", "house"].randomElement(using: &random) ?? "house")
    case ..<68: return .browse(city: anyCity())
    case ..<75: return .compare([anyHome(), anyHome(), anyHome()])
    case ..<83: return favourites.popFirst().map(UserStep.favourite) ?? .home(anyHome())
    case ..<90: return .leave(anyHome())
    case ..<92: return .expire
    case ..<96:
      isOnline = false
      return .network(isOnline: false)
    case ..<98:
      isAddressUp.toggle()
      return .address(isUp: isAddressUp)
    default: return .clock(Int.random(in: -7_200...7_200, using: &random))
    }
  }

  private mutating func anyHome() -> Int { Int.random(in: 1...homeCount, using: &random) }

  private mutating func anyCity() -> String { cities.randomElement(using: &random) ?? "SACRAMENTO" }
}

/// A generator whose numbers follow from a seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
