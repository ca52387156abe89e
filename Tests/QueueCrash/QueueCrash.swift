#if SQLite
import ActivityReporting
import CFileFaults
import CurlTransport
import Foundation
import HTTPTypes
import Interception

/// Uses a queue or a store, and is killed, or finds the disk full, at a chosen write.
///
/// Its arguments are `activity`, `mutations`, `responses` or `calls`, then FOLDER PORT PATH RUN RECORDERS
/// EVENTS FAULT POSITION LENGTH. It prints a line "recorded NAME" for each event that was acknowledged.
@main
struct QueueCrash {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let run = CrashRun(words) else {
      FileHandle.standardError.write(
        Data(
          "usage: queue-crash activity|mutations|responses|calls FOLDER PORT PATH RUN RECORDERS EVENTS none|before|within|full|after N N\n"
            .utf8))
      exit(64)
    }
    run.arm()
    switch words[0] {
    case "activity": try await run.recordActivity()
    case "responses": try await run.cacheResponses()
    case "calls": try await run.inspectCalls()
    default: try await run.enqueueMutations()
    }
    print("changes \(file_faults_count())")
    fflush(nil)
    exit(0)
  }
}
#else
@main
struct QueueCrash {
  static func main() { print("Build with --traits SQLite.") }
}
#endif
