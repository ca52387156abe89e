import EstateApp
import Foundation
import RouteManifests

// The program behind `swift package route-manifest`.
exit(ManifestProgram(try EstateShell.manifest()).run(CommandLine.arguments.dropFirst()))
