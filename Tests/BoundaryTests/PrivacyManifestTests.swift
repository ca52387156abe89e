import Foundation
import Testing

/// Apple's privacy manifest says which of the APIs that can identify a device the library calls, and why.
@Suite struct PrivacyManifestTests {
  /// A category of Apple's list of APIs that require a reason, with the names that Swift and C have for them.
  struct Category: Sendable {
    let name: String
    let functions: Set<String>
    /// The reasons that a library may give.
    let reasons: Set<String>

    static let all = [
      Category(
        name: "NSPrivacyAccessedAPICategoryFileTimestamp",
        functions: [
          "stat", "fstat", "lstat", "fstatat", "getattrlist", "fgetattrlist", "getattrlistat",
          "getattrlistbulk",
          "creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey",
          "creationDateKey", "attributesOfItem",
        ],
        reasons: ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]),
      Category(
        name: "NSPrivacyAccessedAPICategorySystemBootTime",
        functions: ["systemUptime", "mach_absolute_time"],
        reasons: ["35F9.1", "8FFB.1", "3D61.1"]),
      Category(
        name: "NSPrivacyAccessedAPICategoryDiskSpace",
        functions: [
          "statfs", "fstatfs", "statvfs", "fstatvfs", "systemFreeSize", "systemSize",
          "attributesOfFileSystem",
          "volumeTotalCapacityKey", "volumeAvailableCapacityKey",
          "volumeAvailableCapacityForImportantUsageKey",
          "volumeAvailableCapacityForOpportunisticUsageKey",
        ],
        reasons: ["85F4.1", "E174.1", "7D9E.1", "B728.1"]),
      Category(
        name: "NSPrivacyAccessedAPICategoryActiveKeyboards", functions: ["activeInputModes"],
        reasons: ["3EC4.1", "54BD.1"]),
      Category(
        name: "NSPrivacyAccessedAPICategoryUserDefaults", functions: ["UserDefaults", "NSUserDefaults"],
        reasons: ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]),
    ]
  }

  private struct Manifest: Decodable {
    struct AccessedAPI: Decodable {
      let category: String
      let reasons: [String]

      enum CodingKeys: String, CodingKey {
        case category = "NSPrivacyAccessedAPIType"
        case reasons = "NSPrivacyAccessedAPITypeReasons"
      }
    }

    let isTracking: Bool
    let accessed: [AccessedAPI]

    enum CodingKeys: String, CodingKey {
      case isTracking = "NSPrivacyTracking"
      case accessed = "NSPrivacyAccessedAPITypes"
    }

    static func read() throws -> Manifest {
      let file = Checkout.folder.appending(path: "Sources/Chain/Interception/PrivacyInfo.xcprivacy")
      return try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
    }
  }

  /// The words of the sources that an app can link, with the files that have them.
  private static func words() throws -> [String: Set<String>] {
    // Programs that run on a developer's machine, and a transport that Apple's platforms don't have.
    let excluded = [
      "Plugins/Build/", "Sources/Routing/ImportScanning/", "Sources/Routing/module-boundary-tool/",
      "Sources/Routing/RegularFiles/", "Sources/Chain/SecretEmbedding/", "Sources/Chain/embed-secrets-tool/",
      "Sources/Transports/CCurlShims/",
    ]
    var words: [String: Set<String>] = [:]
    for root in ["Sources", "Plugins"] {
      let found = FileManager.default.enumerator(
        at: Checkout.folder.appending(path: root), includingPropertiesForKeys: nil)
      for case let file as URL in found ?? .init() where ["swift", "c", "h"].contains(file.pathExtension) {
        let path = String(file.path.dropFirst(Checkout.folder.path.count).drop { $0 == "/" })
        guard !excluded.contains(where: path.hasPrefix) else { continue }
        let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { line in
          !line.drop { $0 == " " }.hasPrefix("//")
        }
        for line in code {
          for word in line.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
            words[String(word), default: []].insert(path)
          }
        }
      }
    }
    return words
  }

  @Test("Every category that the sources call is declared, and no other")
  func categories() throws {
    let words = try Self.words()
    try #require(words.count > 1_000)
    let called = Category.all.filter { !$0.functions.isDisjoint(with: words.keys) }.map(\.name)
    #expect(Set(try Manifest.read().accessed.map(\.category)) == Set(called))
    // The control proves that a call is found.
    #expect(called.contains("NSPrivacyAccessedAPICategoryFileTimestamp"))
  }

  @Test("Each declared category is one of Apple's, with at least one of its reasons, and nothing is tracked")
  func reasons() throws {
    let manifest = try Manifest.read()
    for accessed in manifest.accessed {
      let category = try #require(Category.all.first { $0.name == accessed.category }, "\(accessed.category)")
      #expect(!accessed.reasons.isEmpty && category.reasons.isSuperset(of: accessed.reasons))
    }
    #expect(!manifest.isTracking)
  }
}
