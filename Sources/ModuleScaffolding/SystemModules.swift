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
