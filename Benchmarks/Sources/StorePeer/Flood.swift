import ArgumentParser
import Foundation
import Interception
import PeerReporting
import ResponseCaching
import SQLiteStores

extension StorePeer {
  struct Flood: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends distinct responses through a memory of 64 MiB over a disk of 256 MiB.",
      discussion: "Prints the greatest size of the directory as bytes, and that of the memory store.")
    @Option(help: "An empty directory.") var directory: String
    @Option(help: "The size of a response's content.") var bytes = 65_536
    @Option(help: "The number of responses.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in
        let memory = MemoryStore(limits: .init(bytes: 64 << 20))
        let disk = SQLiteResponseStore(directory: directory, limits: .init(bytes: 256 << 20))
        let chain = try StorePeer.chain(disk, under: memory, bytes: bytes)
        let start = ContinuousClock.now
        var (greatest, greatestMemory) = (0, 0)
        for number in 0..<requests {
          _ = try await chain.send(StorePeer.request(number))
          guard number.isMultiple(of: 100) else { continue }
          greatest = max(greatest, try size())
          greatestMemory = max(greatestMemory, memory.bytes)
          // Waits for the disk, so that nothing is declined because too much is waiting.
          _ = await disk.usage()
        }
        greatest = max(greatest, try size())
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let (responses, _) = await disk.usage()
        await disk.close()
        PeerReport(
          answered: responses > 0 && memory.bytes > 0 ? requests : 0, failed: 0, bytes: greatest,
          seconds: seconds, protocolName: "-", memoryBytes: greatestMemory
        ).print()
      }
    }

    /// The size of the directory's files in bytes.
    private func size() throws -> Int {
      let files = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
      return files.reduce(0) { sum, file in
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(directory)/\(file)")
        return sum
          + (attributes?[.type] as? FileAttributeType == .typeRegular
            ? (attributes?[.size] as? Int ?? 0) : 0)
      }
    }
  }
}
