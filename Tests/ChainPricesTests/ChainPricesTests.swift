import ChainFixtures
import CommandRunning
import Foundation
import Testing

// The program counts with malloc of the C library of Linux.
#if os(Linux)
/// Whether the limits are those of the compiler.
#if compiler(>=6.4)
private let isCounted = false
#else
private let isCounted = true
#endif

/// What an interceptor allocates in a debug build, because that is built for all tests.
///
/// It is more than in a release build, whose counts `Scripts/bench --prices` prints, and grows with each
/// object that the sources add. It depends on the compiler, and hardly on the machine.
@Suite(
  "The heap objects of an app's chain", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: isCounted, "the limits are those of Swift 6.3; count them again"))
struct ChainPricesTests {
  @Test("A part adds no more heap objects to a request than before", arguments: AppChain.Part.allCases)
  func part(part: AppChain.Part) async throws {
    let objects = try await Self.objects([part.rawValue])
    #expect(objects <= part.limit, "\(part) adds \(objects) heap objects to a request")
  }

  @Test("The whole chain adds no more heap objects to a request than before")
  func whole() async throws {
    let objects = try await Self.objects([])
    #expect(objects <= 691.5, "the whole chain adds \(objects) heap objects to a request")
  }

  /// Returns what `chain-prices` counts, which the build has put beside the program of the tests.
  private static func objects(_ words: [String]) async throws -> Double {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "chain-prices").path
    var command = Command(words: [program] + words)
    // Hashes of the standard library are seeded at random otherwise, and tables grow at other requests.
    command.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_DETERMINISTIC_HASHING": "1"], uniquingKeysWith: { $1 })
    let outcome = try await command.run()
    return try #require(outcome.lines.last.flatMap { Double($0) }, "chain-prices: \(outcome)")
  }
}

extension AppChain.Part {
  /// The maximum number of heap objects that the part may add: the count, rounded up, and half an object,
  /// because some are allocated by some of the requests only.
  fileprivate var limit: Double {
    switch self {
    case .validation: 8.5
    case .sharing: 1.5
    case .redirects: 0.5
    case .retry: 0.5
    case .cookies: 21.5
    case .authorization: 35.5
    case .signing: 123.5
    case .caching: 134.5
    case .bypass: 1.5
    case .compression: 32.5
    case .logging: 1.5
    case .telemetry: 367.5
    case .inspector: 9.5
    }
  }
}
#endif
