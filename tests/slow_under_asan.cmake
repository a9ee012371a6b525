# Read by ctest, behind the lists of tests: unit tests that take ten seconds or more under AddressSanitizer, and run
# little there that others do not run, get the label slow_under_asan, by which .ci/run leaves them out of that build.
set(slow_under_asan
  [[ABodyThatJustFits.FallsBetweenWallsAndIsNotHeldAfterTheImpact]]
  [[ABodyThatJustFits.MovesByTheSameBitsOnThreadsAndLanes]]
  [[AHingedRod.RestsOnAFloorWithTheForceOfItsWeightUnderEveryLaw]]
  [[AServo.HoldsItsPressures]]
  [[BedOfClumps.BearsItsWeightAndItsBooksClose]]
  [[Box.MakesNoEnergyHoweverItBounces]]
  [[Certificates.SayOfAllContactsOfBoxesWhatEachOfThemSays]]
  [[Clump.(OfMoreThanCanBeFoundInSecondsIsRefused|OfManyPartsInOnePlaceHasTheMassOfThePoints.*)]]
  [[Clump.OfSpheresThatOverlapAllOverHasTheSameMass.*]]
  [[ClumpAsObstacle.OfOneSphereHasTheBitsOfThatSphere]]
  [[ContactForce.OfAPileAtRestOnItsFloorIsItsWeight]]
  [[DeepPairs.CylindersAreMovedOutOfBoxesAndCylindersTheShortestWay]]
  [[EachKind/PairsOf.ThatOverlapHaveTheNormalOfLeastPenetration/[A-Za-z]*AndSuperellipsoid.*]]
  [[Field.GivesTheSameBitsOnAnyThreadsAndInstructionSet.*]]
  [[ForceEnergy.IsNeverMadeByRandomImpacts]]
  [[ForceEnergy.OfElasticImpactsWithoutFrictionIsThatBeforeToTheFourthOrder]]
  [[Forces.OfManyChunksHaveTheSameBitsOnAnyThreadsAndInstructionSet]]
  [[Forces.OfRollingResistanceStopABallInTheClosedFormsLength]]
  [[Frames.AreListedInAFileThatIsSeldomWrittenAndLagsLittle]]
  [[Impacts.(OfRandomSetsMakeNoEnergyUnderTheEnergeticLaw|GiveTheSameBitsOnAnyThreadsAndInstructionSets)]]
  [[Infeasibility.AgreesWithLemkesMethodOnRandomProblemsWithoutFriction]]
  [[Infeasibility.IsNeverFoundWhereThereIsASolution]]
  [[Joints.GiveTheSameBitsOnAnyNumberOfThreadsAndAfterARestart]]
  [[Memory.OfABoxWithItsContactsStaysSmall]]
  [[Mesh.GivesTheSameBitsWithAnyThreadsAndAfterARestart]]
  [[MixedLaws.ARigidBoxSinks.*]]
  [[Motions.AMillionStepsAboutAnAxisEndWhereTheClosedFormSays]]
  [[ObstacleLoads.OfADrumTurnItAgainstTheWeightOfItsFillingOffTheAxis]]
  [[ObstacleLoads.WorkIsWhatTheBooksSayAndWhatBodiesLoseAndGain]]
  [[ObstacleSurface.EnclosesTheVolumeOfItsShape]]
  [[Overlap.ThatAPressMakesTooSlowlyForTheToleranceIsToldOfWhileItGrows]]
  [[Painleve.GivesEveryPrintedDigitButThoseOfTable1]]
  [[PointsOn(Hollow|Surface).HaveTheLeastGapThatBruteForceFinds]]
  [[RandomChainsThatFall.MakeNoEnergy]]
  [[Reach.IsTheSmallestBox.*]]
  [[Sleep.IsTheSameForAnyThreadsAndInstructionSetAndFromACopy]]
  [[Sleep.LeavesABedWhereItIsAndAllThatIsToldOfIt]]
  [[SoftClumps.(OfSpheresKeepTheirEnergyInRandomImpacts|HaveTheSameBitsOnAnyThreads.*)]]
  [[SoftClumps.OfSpheresInAPileHaveBooksThatCloseToRounding]]
  [[SoftFalls.(AlmostFlat|OfRandomShapes).*]]
  [[SolidOverlap.OfAnyShapeIsThatOfCountedPoints]]
  [[SolveProblem.ConeComplementarityHasOneVelocityWhicheverTheSolver]]
  [[SolverChoice.MovesLoadedBallsAlikeByEverySolverThatKnowsTheLaw]]
  [[SphereOnSurfaceInStep.(StopsWhatWouldGoThrough|LetsPassWhatDoesNotTouch)]]
  [[VolumeProperties.AgreeWithCountingPointsInside]]
)
get_cmake_property(variables VARIABLES)
list(FILTER variables INCLUDE REGEX "^unit_[a-z]+_TESTS$")
foreach(pattern IN LISTS slow_under_asan)
  set(found FALSE)
  foreach(tests IN LISTS variables)
    foreach(test IN LISTS ${tests})
      if(test MATCHES "^(${pattern})$")
        set_tests_properties("${test}" PROPERTIES LABELS "unit;slow_under_asan")
        set(found TRUE)
      endif()
    endforeach()
  endforeach()
  if(variables AND NOT found)
    message(SEND_ERROR "tests/slow_under_asan.cmake: no test has the name ${pattern}")
  endif()
endforeach()
