import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import Downloads

@Suite("A download that the file system refuses", .timeLimit(.minutes(5)))
struct FileFailureTests {
  @Test("A full disk is reported as noSpace", .enabled(if: access("/dev/full", W_OK) == 0))
  func full() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let error = #expect(throws: NetworkError.self) {
      try FileWriting.write([1, 2, 3], to: descriptor, at: 0, path: "/dev/full")
    }
    #expect(error?.underlying(as: DownloadFault.self) == .noSpace)
    #expect(error?.reason.contains("/dev/full") == true)
  }

  @Test("The bytes that fit on a full disk are kept, and the download resumes when there is space")
  func limited() async throws {
    let folder = try DownloadFolder()
    let target = folder.target
    // Limits and users apply to a whole process, so these tests run in their own.
    await #expect(processExitsWith: .success) { [target = target as String] in
      signal(SIGXFSZ, SIG_IGN)
      let content = [UInt8](repeating: 7, count: 10_000)
      let server = RangeServer(content)
      let download = FileDownload(Request(authority: "a.example", path: "/"), to: target)
      // SIGXFSZ is ignored, so that the write beyond the limit fails as on a full disk.
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let all = limit.rlim_max
      limit.rlim_cur = 5000
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let error = await #expect(throws: NetworkError.self) { try await download.run(over: server) }
      limit.rlim_cur = all
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #expect(error?.underlying(as: DownloadFault.self) == .noSpace)
      #expect(access(target, F_OK) != 0)
      let outcome = try await download.run(over: server)
      #expect(outcome.resumedFrom == 5000 && outcome.length == 10_000)
    }
    #expect(try folder.read() == [UInt8](repeating: 7, count: 10_000))
  }

  @Test("A record that can't be read for a passing reason ends the run, and loses nothing")
  func unread() async throws {
    let folder = try DownloadFolder()
    let target = folder.target
    await #expect(processExitsWith: .success) { [target = target as String] in
      let server = RangeServer([UInt8](repeating: 7, count: 100), breaksAfter: 30)
      let download = FileDownload(
        Request(authority: "a.example", path: "/"), to: target, policy: DownloadPolicy(failureLimit: 1))
      await #expect(throws: NetworkError.self) { try await download.run(over: server) }
      // For the unfinished file, and not for its record.
      let limit = DescriptorLimit(leaving: 1)
      let error = await #expect(throws: NetworkError.self) { try await download.run(over: server) }
      #expect(throws: Never.self) { try download.discardUnfinished() }
      limit.end()
      #expect(error?.underlying(as: DownloadFault.self) == .fileSystem(code: EMFILE))
      #expect(error?.requestMayHaveBeenProcessed == false && server.requests.count == 1)
      server.change { $0.breaksAfter = nil }
      let outcome = try await download.run(over: server)
      #expect(outcome.resumedFrom == 30)
    }
  }

  @Test("A folder that is not writable is reported before anything is requested")
  func forbidden() async throws {
    let folder = try DownloadFolder()
    let path = folder.url.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      chmod(path, 0o555)
      // The superuser may write everywhere.
      if geteuid() == 0 { #expect(setuid(65534) == 0) }
      let server = RangeServer([1])
      let download = FileDownload(Request(authority: "a.example", path: "/"), to: path + "/file")
      let error = await #expect(throws: NetworkError.self) { try await download.run(over: server) }
      #expect(error?.underlying(as: DownloadFault.self) == .noPermission)
      #expect(error?.requestMayHaveBeenProcessed == false)
      #expect(server.ranges.isEmpty)
    }
  }
}
