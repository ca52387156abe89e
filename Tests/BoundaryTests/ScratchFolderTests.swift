import Foundation
import Testing

@Suite struct ScratchFolderTests {
  private static let crash = """
    *** Program crashed: Bad pointer dereference at 0xffff804bf029a710 ***

    Thread 2 "-qos.overcommit" crashed:

      0      0x00007fb40f3679ca _dispatch_event_loop_drain + 1130 in libdispatch.so
    """

  @Test(
    "Only a crash of SwiftPM in libdispatch's thread for events is a reason to run a command again",
    arguments: [
      (SIGSEGV, crash, true), (SIGSEGV, "", true),
      (SIGSEGV, "*** Program crashed: Bad pointer dereference ***\n0 main", false),
      (1, crash, false), (1, "error: plugin process ended by an uncaught signal: 11", false),
      (SIGABRT, crash, false),
      (0, "", false),
    ])
  func crashes(status: Int32, output: String, isKnown: Bool) {
    #expect(ScratchFolder.isCrashOfDispatch(status, output) == isKnown)
  }
}
