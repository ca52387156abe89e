/// The name of a business module to be created.
public struct ModuleName: Sendable, Hashable, CustomStringConvertible {
  /// The reason that a text is not a valid module name.
  public enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text is not an identifier that starts with a capital ASCII letter.
    case notAnIdentifier(String)
    /// The name belongs to Swift or to a module of the system.
    case system(String)
    /// The name has an ending that is reserved for the targets that belong to a module.
    case reservedEnding(String, ending: String)
    /// A target or product already has a name, ignoring case, that one of the module's targets needs.
    case taken(String, by: String)

    /// The problem and its remedy.
    public var description: String {
      switch self {
      case .notAnIdentifier(let text):
        "'\(text)' is not a module name; use a capital letter A to Z followed by letters and digits, as in Offers"
      case .system(let text):
        "'\(text)' is the name of a module of Swift or the system; choose another name"
      case .reservedEnding(let text, let ending):
        "'\(text)' ends in \(ending), like the targets that belong to a module; give the name of the module only"
      case .taken(let text, let other):
        "'\(text)' is taken: the package already has '\(other)'; choose another name"
      }
    }
  }

  /// The name, such as `Offers`.
  public let text: String

  /// Validates a name.
  ///
  /// - Parameter taken: The names of all targets and products known to the package.
  public init(_ text: String, taken: some Sequence<String>) throws(Fault) {
    let isIdentifier = text.utf8.enumerated().allSatisfy { position, byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): position > 0
      default: false
      }
    }
    guard isIdentifier, !text.isEmpty, text.utf8.count <= 64 else { throw .notAnIdentifier(text) }
    for ending in ["Routes", "Tests", "Module"] where text.hasSuffix(ending) {
      throw .reservedEnding(text, ending: ending)
    }
    if SystemModules.names.contains(where: { $0.lowercased() == text.lowercased() }) { throw .system(text) }
    let needed = [text, "\(text)Routes", "\(text)Tests"].map { $0.lowercased() }
    if let other = taken.first(where: { needed.contains($0.lowercased()) }) { throw .taken(text, by: other) }
    self.text = text
  }

  /// The name.
  public var description: String { text }

  /// The name as the host of a URL: `my-offers` for `MyOffers`.
  var host: String {
    var host = ""
    var previous: Character = "A"
    for character in text {
      if character.isUppercase, !previous.isUppercase { host += "-" }
      host += character.lowercased()
      previous = character
    }
    return host
  }

  /// The name of the target with the module's typed routes.
  public var contract: String { "\(text)Routes" }
  /// The name of the target with the module's tests.
  public var tests: String { "\(text)Tests" }
}

/// The modules of Swift and of its platforms whose names a business module might use.
enum SystemModules {
  static let names: Set<String> = [
    // Keywords and types that are not usable as a module name.
    "Any", "Never", "Optional", "Protocol", "Self", "Type",
    // Modules of the toolchain.
    "Android", "Builtin", "Compression", "Cxx", "CxxStdlib", "Darwin", "Dispatch", "Distributed",
    "Foundation",
    "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Glibc", "Musl", "Observation",
    "PackageDescription",
    "PackagePlugin", "RegexBuilder", "Runtime", "Swift", "Synchronization", "Testing", "WinSDK", "XCTest",
    // Modules of common packages.
    "Collections", "Crypto", "Logging", "Metrics", "Tracing", "Algorithms", "Atomics", "Numerics",
    // Modules of Apple's platforms.
    "ARKit", "AVFoundation", "AVKit", "Accelerate", "Accessibility", "Accounts", "AddressBook", "AppIntents",
    "AppKit",
    "AppTrackingTransparency", "AudioToolbox", "AuthenticationServices", "BackgroundTasks", "CallKit",
    "CarPlay",
    "Charts", "ClassKit", "ClockKit", "CloudKit", "Combine", "Contacts", "ContactsUI", "CoreData",
    "CoreFoundation",
    "CoreGraphics", "CoreImage", "CoreLocation", "CoreML", "CoreMotion", "CryptoKit", "EventKit",
    "FamilyControls",
    "FinanceKit", "GameKit", "HealthKit", "HomeKit", "IOKit", "Intents", "JournalingSuggestions",
    "LinkPresentation",
    "LocalAuthentication", "MapKit", "Matter", "MediaPlayer", "Messages", "MessageUI", "Metal", "MetricKit",
    "MusicKit",
    "NaturalLanguage", "Network", "Notifications", "OSLog", "ObjectiveC", "PassKit", "PencilKit", "Photos",
    "PhotosUI",
    "PushKit", "QuickLook", "RealityKit", "SafariServices", "SceneKit", "Security", "SensorKit", "Social",
    "Spatial", "Speech", "SpriteKit", "StoreKit", "SwiftData", "SwiftUI", "Symbols", "SystemConfiguration",
    "TabularData",
    "TipKit", "Translation", "UIKit", "UserNotifications", "Vision", "VisionKit", "WatchKit", "WeatherKit",
    "WebKit",
    "WidgetKit", "WorkoutKit", "os",
  ]
}
