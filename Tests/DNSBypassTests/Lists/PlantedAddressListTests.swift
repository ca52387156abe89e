import CommandRunning
import DNSBypass
import Foundation
import Interception
import SwitchyardTesting
import Testing

@Suite("A stored address list that another user has planted", .timeLimit(.minutes(5)))
struct PlantedAddressListTests {
  private let folder: TemporaryFolder
  private let bypass = DNSBypassInterceptor(.empty)
  private let reports = WaitableValue<[AddressListReport]>([])
  private let clock = TestClock()
  private var path: String { folder.url.appending(path: "list").path }
  private var precious: String { folder.url.appending(path: "precious").path }
  private var addresses: [String] {
    bypass.table.addresses(for: "a.example", scheme: "https").map(\.address)
  }

  init() throws { folder = try TemporaryFolder(prefix: "planted-lists") }

  private func refresher(fetches: Bool) -> AddressListRefresher {
    AddressListRefresher(
      bypass, file: path, time: TimeSource(clock, wall: { WallTime(secondsSince1970: 1_000_000) }),
      random: SeededRandom(seed: 1), verify: { $0 },
      onReport: { [reports] report in reports.update { $0.append(report) } }
    ) {
      guard fetches else { throw NetworkError(.offline, "There is no network.") }
      return Array("issued 1000000\na.example 8.8.4.4".utf8)
    }
  }

  @Test(
    "It is not used, whatever it contains",
    arguments: PlantedFile.allCases.filter { $0 != .hardLink })
  func planted(plant: PlantedFile) async throws {
    let first = refresher(fetches: true)
    first.start()
    #expect(try await reports.wait { !$0.isEmpty } == [.refreshed(hosts: 1)])
    first.stop()
    #expect(addresses == ["8.8.4.4"])
    try plant.make(at: path, precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    bypass.update(.empty)
    let next = refresher(fetches: false)
    next.start()
    let both = try await reports.wait { $0.count >= 2 }
    guard case .failed(let error) = both[1] else {
      Issue.record("\(reports.value)")
      return
    }
    #expect("\(error)".contains(plant.rawValue) && "\(error)".contains(path))
    #expect(addresses.isEmpty)
    next.stop()
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
    #expect(!FileManager.default.fileExists(atPath: precious + ".none"))
  }
}
