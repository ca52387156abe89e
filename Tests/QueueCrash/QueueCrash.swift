#if SQLite
import ActivityReporting
import CFileFaults
import CurlTransport
import Foundation
import HTTPTypes
import Interception

/// Uses a queue or a store, and is killed, or finds the disk full, at a chosen write.
///
/// Each line of standard input is a run: `activity`, `mutations`, `responses`, `calls` or `local`, then
/// FOLDER PORT PATH RUN RECORDERS EVENTS FAULT POSITION LENGTH, separated by tabs. A run is a process of its
/// own, which prints a line "recorded NAME" for each event that was acknowledged. After it the program prints
/// "ended STATUS", the exit status or the number of the signal. It forks the runs, because starting a program
/// takes longer.
@main
struct QueueCrash {
  static func main() {
    // Read to the end first: a child that exits would move the place of the open file.
    var runs: [[String]] = []
    while let line = readLine() { runs.append(line.split(separator: "\t").map(String.init)) }
    for words in runs {
      let child = file_faults_fork()
      if child == 0 { perform(words) }
      var status: Int32 = 0
      guard child > 0, waitpid(child, &status, 0) == child else { exit(71) }
      CrashRun.say("ended \(status & 0x7F == 0 ? status >> 8 : status & 0x7F)")
    }
  }

  private static func perform(_ words: [String]) -> Never {
    guard let run = CrashRun(words) else {
      CrashRun.say(
        "a run is: activity|mutations|responses|calls|local FOLDER PORT PATH RUN RECORDERS EVENTS none|before|within|full|after N N"
      )
      exit(64)
    }
    run.arm()
    Task {
      do {
        switch words[0] {
        case "activity": try await run.recordActivity()
        case "responses": try await run.cacheResponses()
        case "calls": try await run.inspectCalls()
        case "local": try await run.useLocalStore()
        default: try await run.enqueueMutations()
        }
      } catch {
        CrashRun.say("failed: \(error)")
        exit(1)
      }
      CrashRun.say("changes \(file_faults_count())")
      exit(0)
    }
    dispatchMain()
  }
}
#else
@main
struct QueueCrash {
  static func main() { print("Build with --traits SQLite.") }
}
#endif
